# Files that live 30 ms, under another name in the end.
. "$(dirname "$0")/lib.bash"
script filelife -c "$load files 3 $dir 30"
ended 0
for n in 0 1 2; do like "[0-9]+ [0-9]+ load (3[0-9]|[4-9][0-9]|[1-9][0-9]{2}) $dir/named$n"; done
[ "$(lines '.*')" = 4 ] || fail "more"
