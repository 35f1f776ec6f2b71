# Unknown output formats are refused.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -O xml -n BEGIN
ended 2
says 'invalid output format: xml'
run -O
ended 2
