/*
 * says: cannot take address of dynamic object
 */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN { trace(&xlate < struct out * > (1)); }
