# -q: no header, no prefix, no notices, no newline; a clause without body prints nothing.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { trace(1); trace("a"); } BEGIN {} END {}' -n 'BEGIN { exit(0); }'
ended 0
said ''
printed 1a
run -x quiet -n 'BEGIN { trace(2); exit(0); }'
said ''
printed 2
echo '#pragma D option quiet
BEGIN { trace(3); exit(0); }' > "$dir/a.d"
run -s "$dir/a.d"
said ''
printed 3
