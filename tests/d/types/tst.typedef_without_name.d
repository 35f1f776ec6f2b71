/*
 * A typedef may define a structure without naming it otherwise. @@flags -q
 */
typedef struct kind { string name; };
translator struct kind < int K > { name = K == 1 ? "one" : "other"; };
BEGIN
{
	printf("%s %s\n", (xlate <struct kind *> (1))->name, (xlate <struct kind *> (2))->name);
	exit(0);
}
