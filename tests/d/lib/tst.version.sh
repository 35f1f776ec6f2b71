# What a library binds to a later version of the language is not there in earlier ones; attributes count for -xamin.
. "$(dirname "$0")/../cli/lib.bash"
run -x version=1.5 -qn 'BEGIN { trace(TCP_STATE_LISTEN); exit(0); }'
ended 1
says 'failed to resolve TCP_STATE_LISTEN: Unknown variable name'
run -x version=1.6 -qn 'BEGIN { trace(TCP_STATE_LISTEN); exit(0); }'
ended 0
printed 10
run -x amin=Stable/Stable/Common -en 'BEGIN { trace(chip); }'
ended 1
says 'attributes for chip (Evolving/Evolving/Common) are less than predefined minimum'
