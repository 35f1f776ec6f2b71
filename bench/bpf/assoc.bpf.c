/* SPDX-License-Identifier: MIT OR Apache-2.0
 * syscall:::entry { a[cpu]++; }: a hash that all CPUs share, with a key of one integer. */
#include "bench.h"

SEC("maps") struct map hits = { MAP_HASH, 4, 8, 1024 };

TRACE_ENTER int prog(struct enter *ctx)
{
	u32 cpu = current_cpu();

	bump(&hits, &cpu);
	return 0;
}
