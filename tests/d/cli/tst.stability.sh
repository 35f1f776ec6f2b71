# -v reports stability: the texts and the minima over what a clause uses.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -e -v -n 'BEGIN { trace(curthread->pid); }'
ended 0
both="$out$err"
for want in 'Stability attributes for description BEGIN' '	Minimum Probe Description Attributes
		Identifier Names: ' '	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Private
		Dependency Class: Common'; do
    [[ $both == *"$want"* ]] || fail "lacks: $want"
done
echo 'BEGIN { trace(pid); }' > "$dir/a.d"
run -e -v -s "$dir/a.d"
both="$out$err"
[[ $both == *"Stability attributes for script $dir/a.d:"* ]] || fail "no report"
[[ $both == *"	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common"* ]] || fail "other attributes"
