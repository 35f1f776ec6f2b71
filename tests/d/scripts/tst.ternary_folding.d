/* The idiom of script libraries: constant conditions choose actions while parsing. @@flags -q */
inline int OPT_text = 1;
inline int OPT_dump = 0;
inline string NAME = "name";

BEGIN
{
	OPT_text ? printf("%s\n", NAME) : 1;
	OPT_dump ? printf("never\n") : 1;
	OPT_dump == 1 ? @never["x"] = count() : 1;
	OPT_text == 1 ? @kept["x"] = count() : 1;
	exit(0);
}
