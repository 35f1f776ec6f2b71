# 0 success, 1 error, 2 usage, and what exit() says; the last one wins.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { exit(0); }'; ended 0
run -qn 'BEGIN { exit(7); }'; ended 7
run -qn 'BEGIN { exit(255); }'; ended 255
run -qn 'BEGIN { exit(3); } END { exit(5); }'; ended 5
run -qn 'nonsense { exit(0); }'; ended 1
run -qn 'BEGIN { trace(nonsense); }'; ended 1
run -z; ended 2
run -n; ended 2
run; ended 2
