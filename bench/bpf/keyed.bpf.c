/* SPDX-License-Identifier: MIT OR Apache-2.0
 * syscall:::entry { @[probefunc] = count(); }, the function's name standing for its number. */
#include "bench.h"

SEC("maps") struct map hits = { MAP_PERCPU_HASH, 4, 8, 1024 };

TRACE_ENTER int prog(struct enter *ctx)
{
	u32 nr = ctx->nr;

	bump(&hits, &nr);
	return 0;
}
