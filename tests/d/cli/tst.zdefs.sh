# -Z allows descriptions that match nothing.
. "$(dirname "$0")/lib.bash"
run -qn 'nonsense:::x { }' -n 'BEGIN { exit(0); }'
ended 1
says 'probe description nonsense:::x does not match any probes'
run -Zn 'nonsense:::x { }' -n 'BEGIN { exit(0); }'
ended 0
says "matched 0 probes"
run -q -x zdefs -n 'nonsense:::x { } BEGIN { exit(0); }'
ended 0
printf '#pragma D option zdefs\nnonsense:::x { trace(1); }\nBEGIN { exit(0); }\n' > "$dir/a.d"
run -qs "$dir/a.d"
ended 0
