/*
 * says: enumerator 'A' must be assigned to an integral constant expression
 */
enum e { A = "x" };
