/*
 * says: 'pid' may not be referenced as a function
 */
BEGIN { pid(1); }
