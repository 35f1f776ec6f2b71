# The way of a program through its functions, malloc and the system calls that this makes.
. "$(dirname "$0")/lib.bash"
script flowtrace -c "$load malloc 2 100"
ended 0
esc=$(printf '\033')
out=$(printf '%s\n' "$out" | sed "s/$esc\[[0-9]*m/|/g")
like "[0-9]+ 0 0 \|-> main\(.*\)\|"
like '[0-9]+ [0-9]+ [0-9]+ \|-> allocate\(0x2, 0x64, 0x[0-9a-f]+\)\|'
like '[0-9]+ [0-9]+ [0-9]+ \|-> brk\(0x0, .*\)\|'
like '[0-9]+ [0-9]+ [0-9]+ \|<- brk = [0-9]+, errno 0\|'
like '[0-9]+ [0-9]+ [0-9]+ \|<- main = 0x0\|'
[ "$(lines '.*\|-> libc.*`malloc\(0x64, .*')" = 4 ] && [ "$(lines '.*\|<- libc.*`free = .*')" = 2 ] || fail "the library"
# Depth, as indentation: allocate() is called by do_malloc(), which main() calls; times grow, and deltas add up to them.
printf '%s\n' "$out" | awk '
    { depth = index($0, "|") }
    /-> main/ { main = depth } /-> do_malloc/ { two = depth } /-> allocate\(/ { three = depth } /<- main/ { end = depth }
    /^ *[0-9]/ { sum += $3; if ($2 < last || $2 - sum > 3000000 || sum > $2 + 1000) bad = 1; last = $2 }
    END { exit bad || !(main && two == main + 2 && three == main + 4 && end == main) }' || fail "depth or times"
script flowtrace -c "$load functions 2" leaf
[ "$(lines '.*-> leaf.*')" = 4 ] && [ "$(lines '.*-> outer.*')" = 0 ] || fail "only leaf()"
