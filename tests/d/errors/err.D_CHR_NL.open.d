/*
 * says: newline encountered in character constant
 */
BEGIN { trace('a
'); }
