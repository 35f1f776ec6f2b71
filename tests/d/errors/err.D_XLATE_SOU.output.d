/*
 * says: translator output type must be a struct or union
 */
translator int < int i > { a = i; };
