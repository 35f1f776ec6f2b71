# The columns of -l are those of the reference, and no name is cut.
. "$(dirname "$0")/lib.bash"
run -l
ended 0
[ "$(printf '%s\n' "$out" | head -1)" = "$(printf '%5s %10s %17s %33s %s' ID PROVIDER MODULE FUNCTION NAME)" ] || fail header
run -l -n BEGIN
printed "$(printf '%5s %10s %17s %33s %s\n%5d %10s %17s %33s %s' ID PROVIDER MODULE FUNCTION NAME 1 dtrace '' '' BEGIN)"
