/* Wide characters and arrays of them are shown in UTF-8. @@flags -q */
int w[4];

BEGIN
{
	w[0] = 0x41; w[1] = 0xe4; w[2] = 0x20ac;
	printf("<%wc> <%lc> <%3lc> <%ls> <%-5ws> <%c>\n", 0x20ac, 0xe4, 'x', w, w, 65);
	exit(0);
}
