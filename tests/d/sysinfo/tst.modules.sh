# A module that comes and goes.
# @@needs modprobe probe=sysinfo:::modload
. "$(dirname "$0")/../cli/lib.bash"
modprobe -r dummy 2>/dev/null
run -qn 'int come, gone; sysinfo:::modload { come += arg0; } sysinfo:::modunload { gone += arg0; } END { printf("%d %d\n", come, gone); }' \
    -c 'sh -c "modprobe dummy && modprobe -r dummy"'
ended 0
printed '1 1'
