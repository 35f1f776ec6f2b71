# A signal that is taken by sigtimedwait(2) is cleared.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'proc:::signal-clear /pid == $target/ { printf("%d\n", args[0]); }' -c 'python3 -c "
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
os.kill(os.getpid(), signal.SIGUSR1)
signal.sigtimedwait([signal.SIGUSR1], 1)"'
ended 0
printed 10
