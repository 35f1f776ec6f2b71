/*
 * says: x[ ] key #1 is incompatible with prototype:
 * says: 	prototype: int
 * says: 	      key: string
 */
BEGIN { x[1] = 1; x["a"] = 2; }
