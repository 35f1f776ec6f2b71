# Words of a -c command: blanks divide, quotes hold together, backslashes protect.
. "$(dirname "$0")/../cli/lib.bash"
run -qn END -c "printf '[%s]' a \"b c\" 'd \"e\"' f\\ g ''"
ended 0
printed '[a][b c][d "e"][f g][]'
