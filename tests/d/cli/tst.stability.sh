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
# Only the fields that are given count; without a provider's name nothing is known of it.
attributes() { # description, name and data, class
    run -e -v -n "$1"
    both="$out$err"
    [[ $both == *"	Minimum Probe Description Attributes
		Identifier Names: $2
		Data Semantics:   $2
		Dependency Class: $3"* ]] || fail "$1: not $2 $3"
}
attributes BEGIN Unstable Common
attributes dtrace:::BEGIN Stable Common
attributes 'd*:::BEGIN' Unstable Common
run -lvn dtrace:::BEGIN
prints '	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common'
