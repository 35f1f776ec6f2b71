# A thread of 20 ms, with its name.
# @@needs cc
. "$(dirname "$0")/lib.bash"
stand_in hotspot 'probe thread__start(char *, unsigned long, long, unsigned long, char); probe thread__stop(char *, unsigned long, long, unsigned long, char);' <<'C'
HOTSPOT_THREAD_START(T("worker-1XXXX"), 8, 12, 4711, 0);
usleep(20000);
HOTSPOT_THREAD_STOP(T("worker-1XXXX"), 8, 12, 4711, 0);
C
script jthreads -c "$dir/hotspot"
ended 0
like '[0-9]+ start 4711 0 worker-1'
like '[0-9]+ stop 4711 ([2-9][0-9]|[1-9][0-9]{2,}) worker-1'
