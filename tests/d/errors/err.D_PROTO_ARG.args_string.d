/*
 * says: args[ ] argument #1 is incompatible with prototype:
 * says: 	prototype: integer constant
 */
BEGIN { trace(args["x"]); }
