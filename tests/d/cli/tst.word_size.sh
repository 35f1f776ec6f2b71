# -32 and -64 are taken; other numbers are not.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -32 -en BEGIN; ended 0
run -64 -en BEGIN; ended 0
run -33 -en BEGIN; [ "$status" != 0 ] || fail "-33 is taken"
run -6 4 -en BEGIN; ended 0
