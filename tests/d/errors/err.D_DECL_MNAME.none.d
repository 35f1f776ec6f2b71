/*
 * says: member declaration requires a name
 */
struct s { int; };
