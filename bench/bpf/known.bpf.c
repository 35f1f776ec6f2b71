/* SPDX-License-Identifier: MIT OR Apache-2.0
 * syscall::getppid:entry /execname == "bench-load"/ { @ = count(); } */
#include "bench.h"

SEC("maps") struct map hits = { MAP_PERCPU_ARRAY, 4, 8, 1 };

TRACE_ENTER int prog(struct enter *ctx)
{
	union {
		char text[16];
		u64 words[2];
	} comm = {}, want = { "bench-load" };
	u32 key = 0;
	u64 *value;

	if (ctx->nr != NR_GETPPID)
		return 0;
	current_comm(comm.text, sizeof(comm.text));
	if (comm.words[0] != want.words[0] || comm.words[1] != want.words[1])
		return 0;
	value = map_lookup(&hits, &key);
	if (value)
		*value += 1;
	return 0;
}
