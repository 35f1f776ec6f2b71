# A binary file is no script: one line without its bytes.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
run -es "$DTRACE"
ended 1
one_line
[ ${#err} -lt 300 ] || fail "long"
LC_ALL=C grep -q '[^ -~]' "$dir/.err" && fail "unprintable bytes in the message"
head -c 100000 /dev/urandom > "$dir/random.d"
run -es "$dir/random.d"
ended 1
one_line
LC_ALL=C grep -q '[^ -~]' "$dir/.err" && fail "unprintable bytes in the message"
printf 'BEGIN { trace("\377\376"); }' > "$dir/latin.d"
run -es "$dir/latin.d"
case $status in 0 | 1) ;; *) fail "bytes above 127" ;; esac
