/*
 * says: expression cannot evaluate to result of a translated pointer
 */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN { xlate < struct out * > (1); }
