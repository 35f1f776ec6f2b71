# Methods of Java that are compiled have their names in stacks, once the virtual machine was told to write its perf map.
# @@needs javac jcmd
# @@timeout 120
. "$(dirname "$0")/lib.bash"
cat >Busy.java <<'C'
public class Busy {
    static double spinHere(int n) { double s = 0; for (int i = 0; i < n; i++) s += Math.sqrt(i) % 3; return s; }
    static double outerCall() { return spinHere(300000); }
    public static void main(String[] args) { for (double x = 0; ; ) x += outerCall(); }
}
C
javac Busy.java || fail "javac"
java -XX:+PreserveFramePointer -cp . Busy &
java=$!
trap 'kill -9 $java 2>/dev/null; rm -rf "$dir" "/tmp/perf-$java.map"' EXIT
for _ in $(seq 20); do
    sleep 1
    jcmd $java Compiler.perfmap >/dev/null 2>&1 && grep -q Busy.outerCall "/tmp/perf-$java.map" && break
done
run -qn 'profile-97 /pid == $target && arg1/ { @[jstack(4)] = count(); } tick-2s { exit(0); }' -p $java
ended 0
printf '%s\n' "$out" | awk '/double Busy\.spinHere\(int\)\+0x/ { spins = 1; next }
    spins && /double Busy\.outerCall\(\)\+0x/ { named = 1 } { spins = 0 } END { exit !named }' || fail "no names"
