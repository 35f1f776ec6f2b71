/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sched:::on-cpu { @[execname] = count(); } on kernels with sched_exit_tp. */
#include "bench.h"

SEC("maps") struct map hits = { MAP_PERCPU_HASH, 16, 8, 1024 };

struct exit {
	u64 is_switch;
};

SEC("raw_tp/sched_exit_tp") int prog(struct exit *ctx)
{
	char comm[16] __attribute__((aligned(8))) = {};

	if (!(ctx->is_switch & 1))
		return 0;
	current_comm(comm, sizeof(comm));
	bump(&hits, comm);
	return 0;
}
