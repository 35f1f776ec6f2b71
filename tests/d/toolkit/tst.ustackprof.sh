# A function that uses the CPU, with its callers.
. "$(dirname "$0")/lib.bash"
script ustackprof -c "$load burn 200" 50
ended 0
n=$(printf '%s\n' "$out" | awk '/load.do_burn/ { on = 1 } $2 == "samples" { if (on) n += $1; on = 0 } END { print n + 0 }')
between 150 "$n" 230
