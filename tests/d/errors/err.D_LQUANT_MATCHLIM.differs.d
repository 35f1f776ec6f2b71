/*
 * says: lquantize( ) limit (argument #2) doesn't match previous declaration: expected 10, found 11
 */
BEGIN
{
	@ = lquantize(1, 0, 10, 1);
	@ = lquantize(1, 0, 11, 1);
}
