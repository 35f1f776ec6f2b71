/*
 * says: provider name may not end with a digit: foo1
 */
provider foo1 { probe a(); };
