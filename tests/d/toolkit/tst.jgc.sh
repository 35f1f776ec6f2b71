# Collections of 20 ms, one of them full.
# @@needs cc
. "$(dirname "$0")/lib.bash"
stand_in hotspot 'probe gc__begin(char); probe gc__end();' <<'C'
for (int i = 0; i < 3; i++) {
    HOTSPOT_GC_BEGIN(i == 2);
    usleep(20000);
    HOTSPOT_GC_END();
}
C
script jgc -c "$dir/hotspot"
ended 0
[ "$(lines '[0-9]+ minor [2-9][0-9]{4,}')" = 2 ] || fail "not 2 minor"
[ "$(lines '[0-9]+ full [2-9][0-9]{4,}')" = 1 ] || fail "not 1 full"
[ "$(lines '16384 \|@+ [1-3]')" = 1 ] || fail "no distribution"
