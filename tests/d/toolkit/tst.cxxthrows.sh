# Twenty exceptions, and where they are thrown.
# @@needs g++
. "$(dirname "$0")/lib.bash"
cat >"$dir/t.cc" <<'C'
#include <stdexcept>
__attribute__((noipa)) void fails() { throw std::runtime_error("no"); }
int main() { for (int i = 0; i < 20; i++) try { fails(); } catch (...) {} }
C
g++ -O1 -o "$dir/t" "$dir/t.cc" || fail "g++"
script cxxthrows -c "$dir/t"
ended 0
[ "$(lines '20 times')" = 2 ] || fail "not 20 thrown and 20 caught"
prints 't`fails'
