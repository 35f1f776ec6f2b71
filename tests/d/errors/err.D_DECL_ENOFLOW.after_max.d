/*
 * says: enumerator 'B' value overflows INT_MAX (2147483647)
 */
enum e { A = 0x7fffffff, B };
