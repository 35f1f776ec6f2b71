# Return probes do not stand in the way of exceptions.
# @@needs c++
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >"$dir/throws.cc" <<'C'
#include <stdexcept>
__attribute__((noipa)) extern "C" int odd(int i) { if (i % 2) throw std::runtime_error("odd"); return i; }
__attribute__((noipa)) extern "C" int calls(int i) { int r = odd(i); asm volatile(""); return r + 1; }
int main()
{
    int caught = 0;
    for (int i = 0; i < 100; i++)
        try { calls(i); } catch (std::exception &) { caught++; }
    return caught == 50 ? 0 : 1;
}
C
c++ -O1 -o "$dir/throws" "$dir/throws.cc" || fail "c++"
run -q -c "$dir/throws" -n 'pid$target:a.out:odd:,pid$target:a.out:calls: /probename == "entry" || probename == "return"/ { @[probefunc, probename] = count(); }
END { printa("%s %s %@d\n", @); }'
ended 0
[[ $err != *exited* || $err == *'has exited'* ]] || fail "the program failed"
[ "$(printf '%s\n' "$out" | sort)" = "$(printf '%s\n' 'calls entry 100' 'calls return 50' 'odd entry 100' 'odd return 50')" ] || fail "wrong counts"
