# -V names the tool and the version of the language.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -V
ended 0
said ''
[[ $out =~ ^dtrace:\ .*\ D\ 1\.13 ]] || fail "no D version"
