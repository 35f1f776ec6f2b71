/* curcpu and its inlines: where the CPU sits. @@flags -q */
BEGIN
{
	printf("%d %d %d %d\n", curcpu->cpu_id == cpu, chip == curcpu->cpu_chip, lgrp == curcpu->cpu_lgrp, pset);
	printf("%d\n", (xlate <cpuinfo_t> (7)).cpu_id);
	exit(0);
}
