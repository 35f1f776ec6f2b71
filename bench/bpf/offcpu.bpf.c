/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sched:::off-cpu { @[execname] = count(); } */
#include "bench.h"

SEC("maps") struct map hits = { MAP_PERCPU_HASH, 16, 8, 1024 };

SEC("raw_tp/sched_switch") int prog(void *ctx)
{
	char comm[16] __attribute__((aligned(8))) = {};

	current_comm(comm, sizeof(comm));
	bump(&hits, comm);
	return 0;
}
