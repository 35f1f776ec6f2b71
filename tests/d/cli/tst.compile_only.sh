# -e compiles and runs nothing; nothing is said.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -e -n 'BEGIN { printf("ran"); exit(3); }'
ended 0
printed ''
said ''
run -qe -c 'touch '"$dir"'/ran' -n 'BEGIN { }'
ended 0
[ ! -e "$dir/ran" ] || fail "-c ran under -e"
echo 'syscall:::entry { @[probefunc] = quantize(arg0); }' > "$dir/a.d"
run -es "$dir/a.d"
ended 0
said ''
