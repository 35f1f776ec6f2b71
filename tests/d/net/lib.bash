# Helpers of the network tests. Sources the helpers of the command-line tests and builds the program that talks.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"
# One at a time: the tests would see each other's packets.
exec 9<"${BASH_SOURCE[0]}"
flock 9
cc -O1 -pthread -o "$dir/talk" "$(dirname "${BASH_SOURCE[0]}")/talk.c" || exit 1

# has LINE: a line of the output is this one, blanks aside.
has() { printf '%s\n' "$out" | awk '{ $1 = $1 } 1' | grep -Fxq "$1" || fail "lacks: $1"; }
