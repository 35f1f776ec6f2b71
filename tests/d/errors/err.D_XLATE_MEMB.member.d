/*
 * says: translator member b is not a member of struct out
 */
struct out {
	int a;
};
translator struct out < int i > { b = i; };
