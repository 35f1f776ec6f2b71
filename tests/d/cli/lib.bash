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
