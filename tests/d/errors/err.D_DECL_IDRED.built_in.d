/*
 * says: redeclared: pid
 */
int pid;
