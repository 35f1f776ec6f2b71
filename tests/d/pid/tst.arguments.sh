# Arguments of functions, those on the stack too, and what they return.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
target
run -q -c "$dir/target" -n 'pid$target:a.out:add:entry { printf("add %d %d\n", arg0, arg1); }
pid$target:a.out:eight:entry { printf("eight %d %d %d %d\n", (int)arg0, arg5, arg6, arg7); }
pid$target:a.out:add:return, pid$target:a.out:eight:return { printf("%s = %d\n", probefunc, arg1); }
pid$target:a.out:nothing:return { printf("%s %s %s\n", probemod, probefunc, probename); }'
ended 0
printed 'add 40 2
add = 42
eight -1 6 7 8
eight = 34
target nothing return'
