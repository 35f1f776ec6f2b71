# The header of -h gives an application probes, in C and C++, optimised or not, without anything else to link with.
# @@needs nothing
# @@timeout 60
. "$(dirname "$0")/lib.bash"
provider; application
cd "$dir" || exit 1
run -h -s myserv.d; ended 0; printed ""
for compiler in "cc -O0" "cc -O2 -std=c99 -pedantic" "cc -O2 -fPIE -pie -ffunction-sections -Wl,--gc-sections" \
    "c++ -x c++ -std=c++98 -O1 -pedantic"; do
    what="$compiler"
    $compiler -Wall -Wextra -Werror -o app app.c || fail "does not compile"
    [ "$(./app)" = "0 enabled" ] || fail "is not itself"
    [ "$(sites app | cut -d' ' -f1 | sort -u | tr '\n' ' ')" = "idle query__done query__start req " ] || fail "sites: $(sites app)"
    # A pointer, an int, 64 bits, a short.
    sites app | sed 's/, /,/g' | grep -Eq '^query__done 8@[^ ]+ -4@[^ ]+ 8@[^ ]+ -2@[^ ]+$' || fail "arguments: $(sites app)"
    readelf -n app | awk '/Semaphore/ && $NF ~ /^0x0*$/ { exit 1 }' || fail "a site without semaphore"
    readelf -p .note.dtrace app | grep -q 'probe query__done(char \*text, int conn, uint64_t ns, short rc);' ||
        fail "no interface"
done
cc -DDTRACE_PROBES_DISABLED -Wall -Werror -o app app.c || fail "does not compile without probes"
[ -z "$(sites app)" ] || fail "has probes"
