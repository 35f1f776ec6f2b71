/* SPDX-License-Identifier: MIT OR Apache-2.0
 * syscall::read:entry { @[execname] = count(); } */
#include "bench.h"

SEC("maps") struct map hits = { MAP_PERCPU_HASH, 16, 8, 1024 };

TRACE_ENTER int prog(struct enter *ctx)
{
	char comm[16] __attribute__((aligned(8))) = {};

	if (ctx->nr != NR_READ)
		return 0;
	current_comm(comm, sizeof(comm));
	bump(&hits, comm);
	return 0;
}
