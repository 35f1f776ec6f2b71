# A store beyond what alloca() gave is a fault, and does not reach the next block.
. "$(dirname "$0")/../cli/lib.bash"
for e in 'x[8] = 65' 'x[-1] = 65' 'x[5000] = 65' 'bcopy(curthread, x, 9)'; do
    run -qn "BEGIN { x = (char *)alloca(8); $e; printf(\"never\"); } BEGIN { exit(0); }"
    ended 0
    printed ''
    says ': invalid address '
done
