/*
 * says: printa( ): @
 * says: key #1 is incompatible with @
 */
BEGIN { @a[1] = count(); @b["x"] = count(); printa(@a, @b); }
