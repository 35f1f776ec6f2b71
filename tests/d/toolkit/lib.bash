# Helpers of the tests of the toolkit. Sources the helpers of the command-line tests and builds the program that makes the
# loads: $load NAME ARGUMENTS.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"
tests=$(dirname "${BASH_SOURCE[0]}")
toolkit=$tests/../../../toolkit
# It is kept beside the command under test, if that can be.
load=${DTRACE%/*}/toolkit/load
unset LD_LIBRARY_PATH
if [ ! "$load" -nt "$tests/load.c" ]; then
    cc -O1 -pthread -o "$dir/load" "$tests/load.c" || exit 1
    { mkdir -p "${load%/*}" && cp "$dir/load" "$load.$$" && mv -f "$load.$$" "$load"; } 2>/dev/null || load=$dir/load
fi

# script NAME ARGUMENTS: runs a script of the toolkit; leaves $status, $out and $err.
script() {
    local name=$1
    shift
    run -s "$toolkit"/*/"$name".d "$@"
}

# has LINE: a line of the output is this one, blanks aside.
has() { printf '%s\n' "$out" | awk '{ $1 = $1 } 1' | grep -Fxq -- "$1" || fail "lacks: $1"; }
# like REGEX: a line of the output, its blanks made one, is like this.
like() { printf '%s\n' "$out" | awk '{ $1 = $1 } 1' | grep -Exq -- "$1" || fail "lacks a line like: $1"; }
# lines REGEX: how many lines are like this.
lines() { printf '%s\n' "$out" | awk '{ $1 = $1 } 1' | grep -Exc -- "$1"; }
# between LOW VALUE HIGH
between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ] || fail "$2 is not between $1 and $3"; }
# sum REGEX: the sum of the counts in all distributions and tables, last column, of lines that have it.
sum() { printf '%s\n' "$out" | awk -v like="$1" '$0 ~ like { n += $NF } END { print n + 0 }'; }
# disk: a loop device of 16 MiB; leaves $loop and $name.
disk() {
    dd if=/dev/zero of="$dir/disk" bs=1M count=16 status=none
    loop=$(losetup --direct-io=on -f --show "$dir/disk" 2>/dev/null || losetup -f --show "$dir/disk") || exit 1
    name=${loop#/dev/}
    trap 'losetup -d $loop; rm -rf "$dir"' EXIT
}
# alone: one test of the network at a time; they would see each other's packets.
alone() {
    exec 9<"$tests/../net/lib.bash"
    flock 9
}
# with_frame FUNCTION UNIT: the greatest number before UNIT ("us") that ends a stack with this frame.
with_frame() {
    printf '%s\n' "$out" | awk -v f="$1" -v u="$2" '
        { line = $1; sub(/\+0x.*/, "", line) }
        line == f { on = 1 }
        $2 == u && $1 ~ /^-?[0-9]+$/ { if (on && $1 > most) most = $1; on = 0 }
        END { print most + 0 }'
}
# stand_in PROVIDER 'PROBES' <<'C': builds $dir/PROVIDER, a program with the probes that a runtime is published to have; the
# # standard input is the body of its main(), where T("text") is a text in memory: a page that nobody read yet is not.
stand_in() {
    printf 'provider %s { %s };\n' "$1" "$2" >"$dir/$1.d"
    "$DTRACE" -h -s "$dir/$1.d" -o "$dir/$1.h" || fail "dtrace -h"
    { printf '#include <stddef.h>\n#include <string.h>\n#include <unistd.h>\n#include "%s.h"\n#define T strdup\nint main(void)\n{\n' "$1"; cat; printf 'return 0;\n}\n'; } >"$dir/$1.c"
    cc -O1 -o "$dir/$1" "$dir/$1.c" || fail "cc"
}
