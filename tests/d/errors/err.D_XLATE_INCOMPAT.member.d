/*
 * says: translator member a definition uses incompatible types: "int" = "string"
 */
struct out {
	int a;
};
translator struct out < int i > { a = "x"; };
