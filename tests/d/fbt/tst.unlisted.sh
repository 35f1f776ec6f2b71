# A function that the kernel has, but does not let be traced: to name it is one clear line before anything is traced, globs
# leave it out.
# @@needs probe=fbt::vfs_read:entry
# @@timeout 120
. "$(dirname "$0")/../cli/lib.bash"
list=/sys/kernel/tracing/available_filter_functions
[ -r "$list" ] || { echo "no $list"; exit 1; }
# One that type data may tell of, that is not left out by name, and that is not marked as never to be probed by its section.
for name in strncpy_from_user strnlen_user memchr_inv strlcat; do
    grep -q "^$name\$" "$list" && continue
    run -qn "BEGIN { trace(\"begun\"); } fbt::$name:entry { exit(0); }" -c true
    # Without type data there is no such probe at all.
    [[ $err == *'does not match any probes'* ]] && continue
    found=$name
    break
done
[ -n "$found" ] || { echo 'every function can be traced'; exit 1; }
ended 1; one_line; printed ''
says "$found cannot be probed: "
run -ln "fbt::$found:entry"
ended 1; one_line
says "$found cannot be probed"
run -ln "fbt::${found:0:3}*:entry"
ended 0
case $out in *" $found "*) fail 'listed' ;; esac
run -qn "fbt::${found:0:3}*:entry, fbt::vfs_rea*:entry { exit(0); }" -c 'cat /dev/null'
ended 0
