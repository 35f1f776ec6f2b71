/*
 * says: near end of input
 */
BEGIN { trace(1);
