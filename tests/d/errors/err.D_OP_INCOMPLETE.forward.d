/*
 * says: operator -> cannot be applied to a forward declaration: no struct nope definition is available
 */
struct nope;
struct nope *p;
BEGIN { trace(p->a); }
