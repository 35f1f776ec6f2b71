/*
 * says: bit-field too big for type: 
 */
struct s { int a:33; };
