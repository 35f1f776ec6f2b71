# A description that matches nothing is an error under -l, too.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -ln nonsense:::
ended 1
says "No probe matches description"
one_line
run -lP nonsense
ended 1
one_line
run -li 99999999
ended 1
one_line
