/*
 * says: expression may not be used as 
 * says:  index: key #2
 */
struct s {
	int a;
	int b:3;
};
struct s v;
BEGIN { @[1, v] = count(); }
