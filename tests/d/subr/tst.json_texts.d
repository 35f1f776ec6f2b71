/* Values as they stand in the text: escapes stay, brackets in strings do not count. @@flags -q */
BEGIN {
	this->j = "{\"a\": \"x\\\"y\", \"b\":{}, \"c\":[], \"arr\":[{\"k\":[1,[2,3],{\"z\":\"deep\"}]}, -1.5e3 , true], \"e\":\"\", \"a.b\":1, \"st\":\"a,b}]{[\" , \"last\":\"end\"}";
	printf("<%s><%s><%s><%s>\n", json(this->j, "a"), json(this->j, "b"), json(this->j, "c"), json(this->j, "arr"));
	printf("<%s><%s><%s><%s>\n", json(this->j, "arr[0].k[1]"), json(this->j, "arr[0].k[2].z"), json(this->j, "arr[1]"), json(this->j, "arr[2]"));
	printf("<%s><%s><%s><%s>\n", json(this->j, "arr[3]"), json(this->j, "e"), json(this->j, "st"), json(this->j, "last"));
	printf("<%s><%s><%s>\n", json("[1, 2]", "[1]"), json("{\"a\":1", "a"), json("{\"a\":tru}", "a"));
	exit(0);
}
