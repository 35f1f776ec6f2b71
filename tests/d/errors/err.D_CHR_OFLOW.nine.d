/*
 * says: character constant is too long
 */
BEGIN { trace('123456789'); }
