/*
 * says: cannot take offset of a bit-field: b
 */
struct s {
	int a;
	int b:3;
};
BEGIN { trace(offsetof(struct s, b)); }
