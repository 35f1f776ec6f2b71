# Processes that cannot be made because their user has too many.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, resource
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
os.setuid(54321)
refused = 0
for n in range(5):
    try:
        if os.fork() == 0: os._exit(0)
    except BlockingIOError: refused += 1
print(refused)
P
run -qn 'sysinfo:::procovf /pid == $target/ { @ = sum(arg0); } END { printa("%@d\n", @); }' -c "python3 $dir/t.py"
ended 0
printed '5
5'
