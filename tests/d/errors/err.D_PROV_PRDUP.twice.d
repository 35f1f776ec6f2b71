/*
 * says: probe redeclared: foo:a
 */
provider foo { probe a(); probe a(); };
