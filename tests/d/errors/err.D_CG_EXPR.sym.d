/*
 * says: sym( ) may not be called from a D expression (D program context required)
 */
BEGIN { x = (uint64_t)sym(1); }
