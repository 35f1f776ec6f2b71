/*
 * says: ambiguous use of operator ==: A is both a enum e enum tag and a global 
 */
enum e { A };
enum e v;
int A;
BEGIN /v == A/ { trace(1); }
