# Memory that is not there: bufresize=manual fails, auto lowers what takes most and says so, quietresize does not say it.
. "$(dirname "$0")/../cli/lib.bash"
program='BEGIN { self->s = speculation(); speculate(self->s); trace("kept"); } BEGIN { commit(self->s); exit(0); }'
run -q -x bufresize=manual -x nspec=1024 -x specsize=64m -n "$program"
ended 1
said 'dtrace: could not enable tracing: Memory allocation failure'
run -q -x nspec=1024 -x specsize=64m -n "$program"
ended 0
prints kept
[[ $err =~ ^'dtrace: speculation size lowered to '[0-9]+[km]$ ]] || fail 'not said'
run -q -x quietresize -x nspec=1024 -x specsize=64m -n "$program"
ended 0
said ''
prints kept
