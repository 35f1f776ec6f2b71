# Scripts that cannot be read: one line, status 1.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
run -es /no/such/script.d
ended 1
said 'dtrace: failed to open /no/such/script.d: No such file or directory'
run -es "$dir"
ended 1
one_line
says "$dir"
says 'Is a directory'
run -es ''
ended 1
one_line
run -es /proc/self/mem
ended 1
one_line
