# Where functions can be probed they are listed, with what is left out; where they cannot, naming one gives one line that
# says why. Either way everything else works.
# @@timeout 120
set -u
all=$(mktemp) err=$(mktemp)
trap 'rm -f "$all" "$err"' EXIT
$DTRACE -l >"$all" 2>"$err" || { cat "$err"; exit 1; }
fbt=$(awk '$2 == "fbt"' "$all" | wc -l)
if $DTRACE -ln 'fbt::vfs_read:entry' >/dev/null 2>&1; then
	[ "$fbt" -gt 1000 ] || { echo "only $fbt probes are listed"; exit 1; }
	grep -q 'left out' "$err" || { echo 'nothing is said of what is left out'; exit 1; }
	id=$(awk '$2 == "fbt" && $4 == "vfs_read" && $5 == "entry" { print $1 }' "$all")
	again=$($DTRACE -ln 'fbt::vfs_read:entry' | awk '$2 == "fbt" { print $1 }')
	[ "$id" = "$again" ] || { echo "ids $id and $again"; exit 1; }
	! awk '$2 == "fbt"' "$all" | grep -q ' _raw_spin_lock ' || { echo 'a lock is listed'; exit 1; }
else
	[ "$fbt" = 0 ] && [ ! -s "$err" ] || { cat "$err"; exit 1; }
	for probe in 'fbt::vfs_read:entry' 'fbt:::'; do
		text=$($DTRACE -n "$probe" 2>&1)
		case $text in
		*$'\n'*) echo "$text"; exit 1 ;;
		*'lets nobody probe its functions'*) ;;
		*) echo "$text"; exit 1 ;;
		esac
	done
fi
