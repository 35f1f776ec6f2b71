/* SPDX-License-Identifier: MIT OR Apache-2.0
 * syscall::getppid:entry { @ = count(); } */
#include "bench.h"

SEC("maps") struct map hits = { MAP_PERCPU_ARRAY, 4, 8, 1 };

TRACE_ENTER int prog(struct enter *ctx)
{
	u32 key = 0;
	u64 *value;

	if (ctx->nr != NR_GETPPID)
		return 0;
	value = map_lookup(&hits, &key);
	if (value)
		*value += 1;
	return 0;
}
