# The command plockstat: what a program with known locks loses, and where.
# @@needs cc
# @@timeout 90
. "$(dirname "$0")/lib.bash"
ln -s "$TOOLS" "$dir/plockstat" && plockstat=$dir/plockstat
locks
cd "$dir" || exit 1
"$plockstat" -A ./locks >.out 2>.err
status=$? out=$(cat .out) err=$(cat .err) what="plockstat -A"
ended 0; said ""
# line SECTION LOCK CALLER: count and milliseconds of the line.
line() {
    awk -v section="$1" -v lock="locks\`$2" -v caller="$3" '
        /^[A-Z]/ && $1 != "Count" { now = $0 }
        now == section && $3 == lock && index($4, caller "+") == 1 { print $1, int($2 / 1000000) }' .out
}
# about SECTION LOCK CALLER COUNT FROM TO: milliseconds.
about() {
    set -- "$@" $(line "$1" "$2" "$3")
    [ "$7" = "$4" ] && [ "$8" -ge "$5" ] && [ "$8" -le "$6" ] || fail "$1 $2 $3: '$7' times '$8' ms"
}
about 'Mutex hold' plain 'locks`hold' 1 290 800
about 'Mutex hold' plain 'locks`wait_for' 11 0 50
about 'Mutex block' plain 'locks`wait_for' 1 150 800
about 'Mutex block' spinning 'locks`wait_for' 1 150 800
about 'Mutex unsuccessful spin' spinning 'locks`wait_for' 1 0 100
about 'R/W writer hold' rw 'locks`write_for' 1 290 800
about 'R/W reader hold' rw 'locks`main' 1 0 100
about 'R/W reader block' rw 'locks`main' 1 150 800
[ "$(sed -n 1,4p .out)" = "Mutex hold

Count     nsec Lock                         Caller
-------------------------------------------------------------------------------" ] || fail "layout"

"$plockstat" -H -n 1 -s 2 ./locks >.out 2>.err
status=$? out=$(cat .out) err=$(cat .err) what="plockstat -H -n 1 -s 2"
ended 0
[ "$(grep -c '^ *[0-9]* *[0-9]* locks`' .out)" = 3 ] || fail "not one line in each of three sections"
prints '      nsec ---- Time Distribution --- count Stack'
prints " 268435456 |$(printf '%24s' '' | tr ' ' @)|     1 locks\`"
prints '           |                        |       libc.so.6`start_thread+'

"$plockstat" -e 1 -p $$ >.out 2>.err
status=$? out=$(cat .out) err=$(cat .err) what="plockstat -e 1 -p $$"
ended 0; printed ""
for flags in "" "-z" "-n 0 ls" "-p 1 ls"; do
    "$plockstat" $flags >.out 2>.err
    status=$? out=$(cat .out) err=$(cat .err) what="plockstat $flags"
    ended 2; says "Usage: plockstat"
done
"$plockstat" -p 999999999 >.out 2>.err
status=$? out=$(cat .out) err=$(cat .err) what="plockstat -p 999999999"
ended 1; one_line; says "failed to grab pid 999999999"
