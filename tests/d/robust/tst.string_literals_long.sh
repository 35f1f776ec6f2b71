# Literals and arguments longer than strsize are cut when stored, not when compiled.
. "$(dirname "$0")/../cli/lib.bash"
long=$(printf '%0300d' 7)
run -qn "BEGIN { x = \"$long\"; printf(\"%d\", strlen(x)); exit(0); }"
ended 0
printed 255
run -qn 'BEGIN { x = $$1; printf("%d", strlen(x)); exit(0); }' "$long"
ended 0
printed 255
run -qn "BEGIN { printf(\"$long\"); exit(0); }"
ended 0
printed "$long"
