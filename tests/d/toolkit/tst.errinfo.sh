# Failures that a program is known to have.
. "$(dirname "$0")/lib.bash"
script errinfo -c "$load errors 20"
ended 0
has 'load close 9 EBADF 20'
has 'load kill 3 ESRCH 10'
