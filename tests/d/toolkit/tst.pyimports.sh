# A module that loads another, which takes 20 ms.
# @@needs cc
. "$(dirname "$0")/lib.bash"
stand_in python 'probe import__find__load__start(char *); probe import__find__load__done(char *, int);' <<'C'
PYTHON_IMPORT_FIND_LOAD_START(T("json"));
PYTHON_IMPORT_FIND_LOAD_START(T("json.decoder"));
usleep(20000);
PYTHON_IMPORT_FIND_LOAD_DONE(T("json.decoder"), 1);
PYTHON_IMPORT_FIND_LOAD_DONE(T("json"), 1);
PYTHON_IMPORT_FIND_LOAD_START(T("none"));
PYTHON_IMPORT_FIND_LOAD_DONE(T("none"), 0);
C
script pyimports -c "$dir/python"
ended 0
printf '%s\n' "$out" | grep -Eq '^ +[0-9]+ +[2-9][0-9]{4,} +1   json.decoder$' || fail "the inner module"
printf '%s\n' "$out" | grep -Eq '^ +[0-9]+ +[2-9][0-9]{4,} +1 json$' || fail "the outer module"
like '[0-9]+ [0-9]+ 0 none'
