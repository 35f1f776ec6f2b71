# @@needs cc
# @@timeout 60
# Stacks through signal handlers, alloca(), aligned frames and threads; from a system call, a probe of a function, one
# of its return, and a sample; through functions whose own returns are probed.
dir=$(mktemp -d)
trap 'kill $pid 2>/dev/null; rm -rf "$dir"' EXIT
cc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o "$dir/turns" "$(dirname "$0")/turns.c" || exit 1
"$dir/turns" &
pid=$!

# The functions of the program in each stack, a line each.
trace() {
    "$DTRACE" -qn "$1 tick-1500ms { exit(0); }" -p "$pid" >"$dir/out" 2>"$dir/err"
    awk '/^ *[0-9]+$/ || /^$/ { if (s != "") print s; s = "" }
        match($1, /^turns`[a-z]+/) { s = s (s == "" ? "" : " ") substr($1, 7, RLENGTH - 6) }' "$dir/out" | sort -u >"$dir/stacks"
}
expect() {
    what=$1
    shift
    for stack; do
        grep -qx "$stack" "$dir/stacks" || { echo "$what: no stack '$stack'"; cat "$dir/stacks" "$dir/err" "$dir/out"; exit 1; }
    done
}
all=("waits handler raises main" "waits varies main" "waits aligned main" "waits other")

trace 'syscall::poll:entry /pid == $target/ { @[ustack(32)] = count(); }'
expect syscall "${all[@]}"
trace 'pid$target:a.out:waits:entry { @[ustack(32)] = count(); }'
expect entry "${all[@]}"
trace 'pid$target::poll:entry { @[ustack(32)] = count(); } pid$target:a.out:waits:return, pid$target:a.out:handler:return, pid$target:a.out:varies:return { @[ustack(32)] = count(); }'
expect return "${all[@]}" "handler raises main" "raises main" "varies main" "main" "other"
trace 'profile-499 /pid == $target/ { @[ustack(32)] = count(); }'
expect sample "computes works main"
