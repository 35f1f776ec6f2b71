/*
 * says: positive integral constant expression or tuple signature expected as array declaration subscript
 */
int a[-1];
