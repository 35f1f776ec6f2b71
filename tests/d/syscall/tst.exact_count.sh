# Counts and sums of known calls are exact.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'syscall::write:return /pid == $target && arg0 == 3/ { @n = count(); @s = sum(arg0); @m = max(arg0); @l = min(arg0); @a = avg(arg0); }' \
    -n 'END { printa("%@d %@d %@d %@d %@d\n", @n, @s, @m, @l, @a); }' -c 'dd if=/dev/zero of=/dev/null bs=3 count=50000 status=none'
ended 0
said ''
printed '50000 150000 3 3 3'
