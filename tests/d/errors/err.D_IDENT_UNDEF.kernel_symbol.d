/*
 * says: failed to resolve `no_such_symbol_here: 
 */
BEGIN { trace(`no_such_symbol_here); }
