/*
 * says: print( ) may not be applied to a translated pointer
 */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN { print(xlate < struct out * > (1)); }
