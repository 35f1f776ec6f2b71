# Functions of Python, by the probes that it has.
# @@needs cc
. "$(dirname "$0")/lib.bash"
stand_in python 'probe function__entry(char *, char *, int); probe function__return(char *, char *, int);' <<'C'
for (int i = 0; i < 7; i++)
    PYTHON_FUNCTION_RETURN(T("/usr/lib/a.py"), T("one"), 1);
PYTHON_FUNCTION_RETURN(T("b.py"), T("two"), 2);
C
script pycalls -c "$dir/python"
ended 0
has 'a.py one 7'
has 'b.py two 1'
