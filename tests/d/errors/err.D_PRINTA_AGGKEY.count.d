/*
 * says: printa( ): @
 * says: do not have matching key signatures: 
 * says: 1 key
 * says: 2 keys
 */
BEGIN { @a[1] = count(); @b[1, 2] = count(); printa(@a, @b); }
