# What is wrong with an option.
# @@needs nothing
check() { got=$("$DTRACE" -x "$1" -en BEGIN 2>&1); [ "$got" = "$2" ] || { echo "$1: <$got>"; failed=1; }; }
check nonsense 'dtrace: failed to set -x nonsense: Invalid option name'
check strsize=x 'dtrace: failed to set -x strsize: Invalid value for specified option'
check strsize 'dtrace: failed to set -x strsize: Invalid value for specified option'
check bufpolicy=maybe 'dtrace: failed to set -x bufpolicy: Invalid value for specified option'
check switchrate=5parsecs 'dtrace: failed to set -x switchrate: Invalid value for specified option'
exit ${failed:-0}
