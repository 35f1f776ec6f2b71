/*
 * says: probe name may not contain scoping operator: a`b
 */
provider foo { probe a`b(); };
