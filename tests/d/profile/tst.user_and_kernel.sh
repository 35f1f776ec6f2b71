# arg0 is the kernel's program counter or 0, arg1 the user's or 0: never both; a loop of a shell is mostly user.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'profile-997 /pid == $target/ { @[arg0 ? "kernel" : "", arg1 ? "user" : ""] = count(); }' \
    -c 'sh -c "i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done"'
ended 0
printf '%s\n' "$out" | awk '$1 == "user" && $2 > 20 { ok = 1 } $1 == "kernel" && $2 == "user" { bad = 1 } END { exit bad || !ok }' || fail "other counters"
