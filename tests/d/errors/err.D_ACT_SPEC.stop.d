/*
 * says: destructive actions may not follow speculate( )
 */
BEGIN { speculate(1); stop(); }
