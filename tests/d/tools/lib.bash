# Helpers for tests of the commands around dtrace: `run NAME ARGUMENTS` and the rest of ../cli/lib.bash, for $TOOLS.
. "$(dirname "$0")/../cli/lib.bash"
DTRACE=$TOOLS
[ -x "$TOOLS" ] || fail "no program at TOOLS=$TOOLS"
