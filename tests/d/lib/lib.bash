# Helpers of the shell tests. A test sources this, calls `run` and then says what must be so.

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# run ARGUMENTS: runs dtrace; leaves $status, $out and $err.
run() {
    "$DTRACE" "$@" >"$dir/.out" 2>"$dir/.err" </dev/null
    status=$?
    out=$(cat "$dir/.out") err=$(cat "$dir/.err") what="dtrace $*"
}

fail() {
    printf '%s\n' "$*" "of: $what" "--- status $status, stdout" "$out" "--- stderr" "$err"
    exit 1
}

ended() { [ "$status" = "$1" ] || fail "status $status, not $1"; }
printed() { [ "$out" = "$1" ] || fail "stdout is not:
$1"; }
said() { [ "$err" = "$1" ] || fail "stderr is not:
$1"; }
prints() { [[ $out == *"$1"* ]] || fail "stdout lacks: $1"; }
says() { [[ $err == *"$1"* ]] || fail "stderr lacks: $1"; }
# One line, as every error must be.
one_line() { [ "$(printf '%s\n' "$err" | wc -l)" = 1 ] || fail "stderr is not one line"; }

# start ARGUMENTS: runs dtrace in the background; leaves $pid. Its output is in $dir/.out, $dir/.err.
start() {
    what="dtrace $* &"
    # Background commands of a shell ignore interrupts, unless told otherwise.
    env --default-signal=INT,QUIT "$DTRACE" "$@" >"$dir/.out" 2>"$dir/.err" </dev/null &
    pid=$!
}

# Waits until the started dtrace has written TEXT to its output; 10 s at most.
wait_for() {
    for _ in $(seq 500); do
        grep -q "$1" "$dir/.out" "$dir/.err" && return
        sleep 0.02
    done
    finish_kill "never wrote: $1"
}
finish_kill() { kill -9 "$pid"; finish; fail "$1"; }

# finish [SIGNAL]: signals the started dtrace, waits for it (10 s at most); leaves $status, $out and $err.
finish() {
    [ -z "$1" ] || kill -"$1" "$pid"
    for _ in $(seq 500); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.02
    done
    kill -9 "$pid" 2>/dev/null && late=1
    wait "$pid" 2>/dev/null
    status=$?
    out=$(cat "$dir/.out") err=$(cat "$dir/.err")
    [ -z "$late" ] || fail "had to be killed"
}

# Number of BPF programs that process $1 holds.
programs_of() { cat /proc/"$1"/fdinfo/* 2>/dev/null | grep -c '^prog_type:'; }
# Ids of all BPF programs held or attached anywhere that processes show.
all_programs() { cat /proc/[0-9]*/fdinfo/* 2>/dev/null | sed -n 's/^prog_id:\t*//p' | sort -u; }
