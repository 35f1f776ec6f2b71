/*
 * says: incomplete struct/union/enum struct nope
 */
struct nope;
translator struct nope < int i > { a = i; };
