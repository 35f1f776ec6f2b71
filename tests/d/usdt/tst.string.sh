# An argument that the definition calls a string is the text in the program.
# @@needs cc
. "$(dirname "$0")/lib.bash"
cd "$dir" || exit 1
echo 'provider words { probe said(string, int); };' >words.d
run -h -s words.d; ended 0
cat >words.c <<'C'
#include "words.h"
int main(void) { char word[] = "hello"; WORDS_SAID(word, 7); return 0; }
C
cc -O1 -o words words.c || exit 1
run -qn 'words$target:::said { printf("%s %d %d\n", args[0], strlen(args[0]), args[1]); }' -c ./words
ended 0
printed 'hello 5 7'
