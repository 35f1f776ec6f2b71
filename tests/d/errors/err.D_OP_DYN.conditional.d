/*
 * says: operator ?: operands cannot be of dynamic type
 */
struct out {
	int a;
	int b;
};

translator struct out < int i > {
	a = i;
};

BEGIN { trace(pid ? xlate < struct out * > (1) : NULL); }
