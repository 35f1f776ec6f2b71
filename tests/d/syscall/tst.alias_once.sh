# Descriptions of one clause that mean the same call by several names (open64 is one of Solaris, open is one that 64-bit Arm does
# not have) see each call once; the same name twice sees it twice, as ever.
# @@needs python3
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/open.py" <<'P'
import os
for n in range(7): os.close(os.open("/dev/null", os.O_RDONLY | os.O_NOATIME))
P
seen() {
    run -qn "$1 /pid == \$target && (arg2 & 01000000)/ { @ = count(); } END { printa(\"%@d\n\", @); }" -c "python3 $dir/open.py"
    ended 0
    [ "$out" = "$2" ] || fail "not $2"
}
one='syscall::openat:entry'
seen "$one" 7
seen "syscall::open64:entry, $one, syscall::openat64:entry" 7
seen "syscall::open64:entry, syscall::open64:entry" 7
seen "$one, $one" 14
run -qn "syscall::open:return, syscall::openat:return, syscall::creat:return /pid == \$target && arg1 > 2/ { @ = count(); }
    syscall::openat:return /pid == \$target && arg1 > 2/ { @b = count(); } END { printa(\"%@d %@d\n\", @, @b); }" -c "python3 $dir/open.py"
ended 0
printf '%s\n' "$out" | awk '{ exit !($1 == $2 && $1 >= 7) }' || fail "not the same number"

# Each text is told its own probes, and how many they are.
listed() {
    run -ln "$@"
    ended 0
    probes=$(printf '%s\n' "$out" | grep -c entry)
}
listed 'syscall::open64:entry'
alone=$probes
listed "syscall::open64:entry, $one" -n 'syscall::read:entry' -n 'syscall::write:entry'
[ "$probes" = $((alone + 2)) ] || fail "not $alone and two"
prints ' write entry'
run -n "syscall::open64:entry, $one {}" -n 'BEGIN { exit(0); }'
says "matched $alone probe"
