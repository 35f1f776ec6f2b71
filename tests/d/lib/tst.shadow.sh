# A library of the user's comes before the built-in ones, and -xsyslibdir replaces these.
. "$(dirname "$0")/../cli/lib.bash"
mkdir "$dir/lib"
echo 'inline int ENOENT = 1002;' > "$dir/lib/mine.d"
run -L "$dir/lib" -qn 'BEGIN { printf("%d %d", ENOENT, EPERM); exit(0); }'
ended 0
printed '1002 1'
run -x syslibdir="$dir/lib" -qn 'BEGIN { printf("%d", ENOENT); exit(0); }'
printed 1002
run -x syslibdir="$dir/lib" -qn 'BEGIN { printf("%d", EPERM); exit(0); }'
ended 1
says 'failed to resolve EPERM: Unknown variable name'
run -x nolibs -qn 'BEGIN { trace(curpsinfo->pr_pid); exit(0); }'
ended 1
says 'failed to resolve curpsinfo: Unknown variable name'
run -x nolibs -qn 'BEGIN { trace(curcpu->cpu_id); exit(0); }'
ended 1
says '-xnolibs'
