#pragma D option quiet

BEGIN
{
	setopt("stackindent", "4");
	printf("set\n");
	exit(0);
}
