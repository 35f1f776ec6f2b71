/* SPDX-License-Identifier: MIT OR Apache-2.0
 * syscall::getppid:entry { printf("%d %s\n", pid, execname); } */
#include "bench.h"

struct record {
	u32 pid;
	char comm[16];
};

SEC("maps") struct map ring = { MAP_RINGBUF, 0, 0, 4 << 20 };
SEC("maps") struct map lost = { MAP_PERCPU_ARRAY, 4, 8, 1 };

TRACE_ENTER int prog(struct enter *ctx)
{
	u32 key = 0;
	u64 *drops;
	struct record *record;

	if (ctx->nr != NR_GETPPID)
		return 0;
	record = ringbuf_reserve(&ring, sizeof(*record), 0);
	if (record) {
		record->pid = current_pid_tgid() >> 32;
		current_comm(record->comm, sizeof(record->comm));
		ringbuf_submit(record, 0);
		return 0;
	}
	drops = map_lookup(&lost, &key);
	if (drops)
		*drops += 1;
	return 0;
}
