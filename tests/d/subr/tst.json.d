/* Values of a JSON text by their paths. @@flags -q */
BEGIN
{
	this->j = "{\"a\": 1, \"b\": {\"c\": [10, -20, {\"d\": \"text\"}], \"e\": true}, \"f\": null, \"g\": \"a \\\"q\\\"\", \"h\": [[1, 2], [3]]}";
	printf("%s %s %s %s\n", json(this->j, "a"), json(this->j, "b.c[0]"), json(this->j, "b.c[1]"), json(this->j, "b.c[2].d"));
	printf("%s %s %s %s\n", json(this->j, "b.e"), json(this->j, "f"), json(this->j, "h[1][0]"), json(this->j, "h[0][1]"));
	printf("%d %d %d\n", json(this->j, "z") == NULL, json(this->j, "b.c[9]") == NULL, json(this->j, "a.b") == NULL);
	exit(0);
}
