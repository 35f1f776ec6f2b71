/*
 * says: prototype may not use parameter of type struct s: 
 * says: parameter #1
 */
struct s {
	int a;
	int b:3;
};
int a[struct s];
