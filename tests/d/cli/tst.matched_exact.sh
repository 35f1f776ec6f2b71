# The notice shows the text up to the first of { / ; as it stands.
. "$(dirname "$0")/lib.bash"
run -n 'BEGIN { exit(0); }'
said "dtrace: description 'BEGIN ' matched 1 probe"
run -n 'BEGIN,END{ exit(0); }'
said "dtrace: description 'BEGIN,END' matched 2 probes"
run -n 'dtrace:::BEGIN /1/ { exit(0); }'
said "dtrace: description 'dtrace:::BEGIN ' matched 1 probe"
