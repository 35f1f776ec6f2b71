/*
 * says: invalid type for bit-field: 
 */
struct s { float a:3; };
