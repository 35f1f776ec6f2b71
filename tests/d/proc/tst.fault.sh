# A fault of the machine that ends in a signal.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'proc:::fault /pid == $target/ { printf("%d %d %x\n", args[1]->si_signo, args[1]->si_code == SEGV_MAPERR, args[1]->si_addr); }' \
    -c 'python3 -c "
import ctypes, resource
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
ctypes.string_at(16)"'
prints '11 1 10'
