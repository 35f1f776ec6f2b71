/* print() shows the type and the value. @@flags -q */
BEGIN
{
	print(5); printf("\n");
	print((long)0); printf("\n");
	print((char)'c'); printf("\n");
	print((char)0); printf("\n");
	print((uint8_t)255); printf("\n");
	print("text"); printf("\n");
	print((void *)0x1234); printf("\n");
	exit(0);
}
