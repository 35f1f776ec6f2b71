# What is allocated and not freed, and what is.
. "$(dirname "$0")/lib.bash"
script leaks -c "$load malloc 100 1000"
ended 0
has 'load`allocate 100 100000'
has 'load`allocate_and_free 0 0'
