/*
 * says: positive integral constant expression expected as bit-field size
 */
struct s { int a:-1; };
