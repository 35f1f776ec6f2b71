/*
 * says: provider interface mismatch: foo
 * says: : probe foo:a defined
 * says: : probe foo:a not defined
 */
provider foo { probe a(int); };
provider foo { probe b(int); };
