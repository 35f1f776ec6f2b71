# Messages and semaphores of System V.
# @@needs cc
. "$(dirname "$0")/../cli/lib.bash"
cat >"$dir/t.c" <<'C'
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/msg.h>
#include <sys/sem.h>
int main(void) {
	struct { long type; char text[8]; } m = { 1, "" };
	int q = msgget(IPC_PRIVATE, 0600), s = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf up = { 0, 1, 0 };
	if (q < 0 || s < 0) return 1;
	for (int n = 0; n < 30; n++) {
		msgsnd(q, &m, sizeof m.text, 0);
		msgrcv(q, &m, sizeof m.text, 0, 0);
	}
	for (int n = 0; n < 20; n++) semop(s, &up, 1);
	semtimedop(s, &up, 1, NULL);
	msgctl(q, IPC_RMID, NULL);
	semctl(s, 0, IPC_RMID);
	return 0;
}
C
cc -o "$dir/t" "$dir/t.c" || fail "cc"
run -qn 'sysinfo:::msg, sysinfo:::sema /pid == $target/ { @[probename] = sum(arg0); } END { printa("%s %@d\n", @); }' -c "$dir/t"
ended 0
printed 'sema 21
msg 60'
