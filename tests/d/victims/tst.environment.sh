# setenv and unsetenv change the environment of commands.
. "$(dirname "$0")/../cli/lib.bash"
export PW_GONE=1 PW_KEPT=2
run -q -x setenv=PW_NEW=3 -x unsetenv=PW_GONE -n END -c "sh -c 'echo [\$PW_GONE] [\$PW_KEPT] [\$PW_NEW]'"
ended 0
printed '[] [2] [3]'
