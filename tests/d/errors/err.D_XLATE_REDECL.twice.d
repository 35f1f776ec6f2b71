/*
 * says: translator from int to struct out has already been declared
 */
struct out {
	int a;
};
translator struct out < int i > { a = i; };
translator struct out < int i > { a = i; };
