/* Subroutines that loop are checked once, whatever number of calls there are. @@flags -q */
int n;

BEGIN
{
	this->s = strjoin("/a/./b/../c", " d,e");
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,0") >= 0; n += strtok(this->s, "/0") == "a"; n += strtoll("0") == 0;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/1") == "a"; n += strtoll("1") == 1;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,2") >= 0; n += strtok(this->s, "/2") == "a"; n += strtoll("2") == 2;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/3") == "a"; n += strtoll("3") == 3;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,4") >= 0; n += strtok(this->s, "/4") == "a"; n += strtoll("4") == 4;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/5") == "a"; n += strtoll("5") == 5;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,6") >= 0; n += strtok(this->s, "/6") == "a"; n += strtoll("6") == 6;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/7") == "a"; n += strtoll("7") == 7;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,8") >= 0; n += strtok(this->s, "/8") == "a"; n += strtoll("8") == 8;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/9") == "a"; n += strtoll("9") == 9;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,10") >= 0; n += strtok(this->s, "/10") == "a"; n += strtoll("10") == 10;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/11") == "a"; n += strtoll("11") == 11;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,12") >= 0; n += strtok(this->s, "/12") == "a"; n += strtoll("12") == 12;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/13") == "a"; n += strtoll("13") == 13;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,14") >= 0; n += strtok(this->s, "/14") == "a"; n += strtoll("14") == 14;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/15") == "a"; n += strtoll("15") == 15;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,16") >= 0; n += strtok(this->s, "/16") == "a"; n += strtoll("16") == 16;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/17") == "a"; n += strtoll("17") == 17;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,18") >= 0; n += strtok(this->s, "/18") == "a"; n += strtoll("18") == 18;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/19") == "a"; n += strtoll("19") == 19;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,20") >= 0; n += strtok(this->s, "/20") == "a"; n += strtoll("20") == 20;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/21") == "a"; n += strtoll("21") == 21;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,22") >= 0; n += strtok(this->s, "/22") == "a"; n += strtoll("22") == 22;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/23") == "a"; n += strtoll("23") == 23;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,24") >= 0; n += strtok(this->s, "/24") == "a"; n += strtoll("24") == 24;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/25") == "a"; n += strtoll("25") == 25;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,26") >= 0; n += strtok(this->s, "/26") == "a"; n += strtoll("26") == 26;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/27") == "a"; n += strtoll("27") == 27;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,28") >= 0; n += strtok(this->s, "/28") == "a"; n += strtoll("28") == 28;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/29") == "a"; n += strtoll("29") == 29;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,30") >= 0; n += strtok(this->s, "/30") == "a"; n += strtoll("30") == 30;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/31") == "a"; n += strtoll("31") == 31;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,32") >= 0; n += strtok(this->s, "/32") == "a"; n += strtoll("32") == 32;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/33") == "a"; n += strtoll("33") == 33;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,34") >= 0; n += strtok(this->s, "/34") == "a"; n += strtoll("34") == 34;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/35") == "a"; n += strtoll("35") == 35;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,36") >= 0; n += strtok(this->s, "/36") == "a"; n += strtoll("36") == 36;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/37") == "a"; n += strtoll("37") == 37;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,38") >= 0; n += strtok(this->s, "/38") == "a"; n += strtoll("38") == 38;
	n += cleanpath(this->s) == "/a/c d,e"; n += index(this->s, "d,e") >= 0; n += strtok(this->s, "/39") == "a"; n += strtoll("39") == 39;
	printf("%d\n", n);
	exit(0);
}
