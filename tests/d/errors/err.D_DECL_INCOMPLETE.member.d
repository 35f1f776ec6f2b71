/*
 * says: incomplete struct/union/enum struct nope: a
 */
struct s { struct nope a; };
