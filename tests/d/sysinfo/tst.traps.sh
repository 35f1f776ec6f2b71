# trap is every page fault, of the process and of the kernel; all counters can be enabled together.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sysinfo:::trap { @["trap"] = sum(1); } vminfo:::as_fault, vminfo:::prot_fault, vminfo:::kernel_asflt { @["trap"] = sum(-1); }
    sysinfo:::, vminfo::: { all++; } END { printf("%d", all > 0); printa(" %@d\n", @); }' -c 'bash -c :'
ended 0
printed '1 0'
