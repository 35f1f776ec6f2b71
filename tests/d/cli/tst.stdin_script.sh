# -s /dev/stdin reads the program from standard input.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
echo 'BEGIN { exit(0); }' | "$DTRACE" -e -s /dev/stdin || fail "/dev/stdin"
