/*
 * says: cannot translate from "string" to "struct out"
 */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN { trace(xlate < struct out > ("x").a); }
