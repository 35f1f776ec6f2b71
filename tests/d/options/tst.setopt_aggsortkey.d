/* The order may be changed while tracing. @@flags -q */
BEGIN
{
	@["a", 3] = sum(2); @["b", 2] = sum(1); @["c", 1] = sum(3);
	printa("%s ", @);
	setopt("aggsortkey");
	printa("%s ", @);
	setopt("aggsortrev");
	printa("%s ", @);
	exit(0);
}
