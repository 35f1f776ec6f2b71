/*
 * says: incomplete struct/union/enum 
 * says: nope: v
 */
struct nope v;
BEGIN { trace(1); }
