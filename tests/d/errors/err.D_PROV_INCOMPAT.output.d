/*
 * says: provider interface mismatch: foo
 * says: 	 current: probe foo:a has an output prototype
 * says: 	previous: probe foo:a has no output prototype
 */
provider foo { probe a(int); };
provider foo { probe a(int) : (int); };
