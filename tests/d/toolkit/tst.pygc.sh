# Collections of two generations.
# @@needs cc
. "$(dirname "$0")/lib.bash"
stand_in python 'probe gc__start(int); probe gc__done(long);' <<'C'
for (int i = 0; i < 5; i++) {
    PYTHON_GC_START(0);
    PYTHON_GC_DONE(2);
}
PYTHON_GC_START(2);
usleep(20000);
PYTHON_GC_DONE(100);
C
script pygc -c "$dir/python"
ended 0
like '0 5 [0-9]+ [0-9]+ 10'
like '2 1 ([2-9][0-9]|[1-9][0-9]{2,})[0-9]{3} [0-9]+ 100'
