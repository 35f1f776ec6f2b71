# Functions of JavaScript, compiled and interpreted, have their names in the stacks of Node.js.
# @@needs node
# @@timeout 60
. "$(dirname "$0")/lib.bash"
cat >app.js <<'C'
function spinHere(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 3; return s; }
function outerCall() { return spinHere(1e6); }
const begin = Date.now();
let x = 0;
while (Date.now() - begin < 2500) x += outerCall();
require('fs').unlinkSync(`/tmp/perf-${process.pid}.map`);
C
run -qn 'profile-97 /pid == $target && arg1/ { @[jstack(4)] = count(); }' \
    -c 'node --perf-basic-prof --interpreted-frames-native-stack app.js'
ended 0
# Compiled (*) or not yet (~, ^): the function, and below it its caller.
printf '%s\n' "$out" | awk '/JS:[*~^+]?spinHere [^ ]*app\.js:1/ { spins = 1; next }
    spins && /JS:[*~^+]?outerCall [^ ]*app\.js:2/ { named = 1 } { spins = 0 } END { exit !named }' || fail "no names"
