# Scripts hand over "-p PID" as one argument; io:genunix::start, and headers of the C library, are what they begin with.
# @@needs cpp
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'BEGIN { printf("%d\n", $target); exit(0); }' "-p $$"
ended 0
[ "${out%%$'\n'*}" = "$$" ] || fail "another target: $out"
run -ln 'io:genunix::start'
ended 0
printf '%s\n' "$out" | grep -q ' io .* start$' || fail "no io:genunix::start"
cat >"$dir/headers.d" <<'D'
#include <sys/types.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", PROT_EXEC, MAP_SHARED, sizeof (struct sockaddr_in), __LINE__);
	exit(0);
}
D
run -Cs "$dir/headers.d"
ended 0
[ "${out%%$'\n'*}" = "4 1 16 11" ] || fail "headers: $out"
