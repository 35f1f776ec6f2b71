/*
 * says: empty character constant
 */
BEGIN { trace(''); }
