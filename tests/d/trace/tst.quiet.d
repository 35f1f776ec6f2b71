/* With -q values have no columns and no blanks. @@flags -q */
BEGIN
{
	trace(1); trace("x"); trace((int64_t)-2); trace((uint8_t)255); trace("y");
	exit(0);
}
