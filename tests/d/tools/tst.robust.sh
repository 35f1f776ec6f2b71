# What a user does to the commands besides using them: interrupts at any moment, processes and commands that are not there,
# files that cannot be written, readers that go away, numbers that are none.
# @@timeout 240
. "$(dirname "$0")/lib.bash"
# refuses STATUS TEXT COMMAND…: one line that says why; after a mistake on the command line the usage follows.
refuses() {
    local wanted=$1 text=$2
    shift 2
    run "$@"
    ended "$wanted"
    printed ''
    says "$1: $text"
    if [ "$wanted" = 2 ]; then says "Usage: $1 "; else one_line; fi
}
for name in dmpstat intrstat prstat; do
    for bad in 0 x -1 nan; do
        case $bad in -*) text='illegal option' ;; *) text="invalid interval: $bad" ;; esac
        refuses 2 "$text" $name $bad
    done
    refuses 2 'invalid count: 0' $name 1 0
    refuses 2 'invalid number for the count: x' $name 1 x
    refuses 2 'unexpected argument: 3' $name 1 2 3
    refuses 2 'option requires an argument -- x' $name -x
    refuses 1 'failed to set -x nonsense' $name -x nonsense 0.1 1
    run $name 0.1 2
    ended 0
    said ''
    # Nobody reads: the first table that cannot be written ends it.
    "$TOOLS" $name 0.1 2>"$dir/.err" | head -1 >"$dir/.out"
    status=${PIPESTATUS[0]} out=$(cat "$dir/.out") err=$(cat "$dir/.err") what="$name, head"
    ended 1
    says "$name: failed to write output: Broken pipe"
    one_line
done
refuses 2 'no such CPU is online: x' dmpstat -c x
refuses 2 'invalid number for -p: x' prstat -p x
refuses 2 'invalid number for -n: 0' prstat -n 0
refuses 1 'failed to grab pid 999999999: No such process' prstat -p $$,999999999
refuses 1 'failed to grab pid 999999999: No such process' plockstat -p 999999999
refuses 2 'invalid number for -e: 0' plockstat -e 0 true
for name in lockstat plockstat; do
    refuses 1 'failed to execute nonsuch: No such file or directory' $name nonsuch
    refuses 1 'failed to execute /etc/passwd: Permission denied' $name /etc/passwd
    run $name "$(type -P true)"
    ended 0
    said ''
done
for command in 'lockstat -I sleep 0.5' 'plockstat -V true'; do
    "$TOOLS" $command >/dev/full 2>"$dir/.err"
    status=$? out= err=$(cat "$dir/.err") what="$command >/dev/full"
    ended 1
    says "${command%% *}: failed to write output: No space left on device"
    one_line
done
refuses 2 'a command is needed' lockstat -C
refuses 2 'invalid depth: 101 (at most 100)' lockstat -s 101 true
refuses 2 'invalid number for -d: -5' lockstat -d -5 true
refuses 2 'invalid rate: 5001' lockstat -i 5001 -I true
# A file that cannot be written is said before the command runs.
refuses 1 "failed to write $dir/no/report: No such file or directory" lockstat -o "$dir/no/report" touch "$dir/ran"
[ ! -e "$dir/ran" ] || fail "the command ran for nothing"
# An interrupt: before tracing has begun it just ends; from then on the report is made. Nothing stays attached.
for command in 'dmpstat 1' 'intrstat 1' 'prstat 1' 'lockstat sleep 77' 'lockstat -T sleep 77' 'plockstat -A sleep 77'; do
    for after in 0.03 0.2 0.5 1.5; do
        start $command
        sleep $after
        [ "$(programs_of $pid)" -gt 0 ] && traces=1 || traces=
        finish INT
        case $status in
        0) ;;
        130) [ -z "$out$err" ] || fail "interrupted before it traced" ;;
        *) fail "interrupted" ;;
        esac
        said ''
    done
done
pkill -x -f 'sleep 77'
start dmpstat -V -x bufsize=1m 0.2
wait_for CPU
finish INT
ended 0
says '@n[0, cpu] = count();'
# Help is text, and not an error.
run dmpstat -h && prints 'Usage: dmpstat ' && run intrstat -h && prints 'Usage: intrstat ' && run prstat -h && prints 'Usage: prstat '
run plockstat -h
ended 0
prints 'Usage: plockstat [flags] command'
run plockstat -C -V true
ended 0
prints 'mutex-block'
[[ $out != *mutex-release* ]] || fail "-C holds"
run plockstat -v -x bufsize=1m ls /
ended 0
said 'plockstat: tracing enabled'
run intrstat -x bufsize=1m 0.2 1
ended 0
run prstat -x bufsize=1m 0.2 1
ended 0
run calibrate -h
ended 0
prints 'Usage: calibrate '
run cputrack -D -T 0 -n -c page-faults true
ended 0
says 'cputrack:   pic0 page-faults: type 1, config 0x2'
# Cycles as well: a column more, or the reason.
run cputrack -t -T 0 -c page-faults true
if [ "$status" = 0 ]; then printf '%s\n' "$out" | awk '$3 == "exit" { n = NF } END { exit n != 5 }' || fail "not two columns"; else says 'event cpu-cycles cannot be counted'; fi
