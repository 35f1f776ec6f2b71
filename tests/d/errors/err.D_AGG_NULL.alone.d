/*
 * says: expression has null effect: @a
 */
BEGIN { @a = count(); @a; }
