/*
 * says: lquantize( ) base (argument #1) doesn't match previous declaration: expected 0, found 1
 */
BEGIN
{
	@ = lquantize(1, 0, 10, 1);
	@ = lquantize(1, 1, 10, 1);
}
