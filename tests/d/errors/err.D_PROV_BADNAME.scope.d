/*
 * says: provider name may not contain scoping operator: a`b
 */
provider a`b { probe a(); };
