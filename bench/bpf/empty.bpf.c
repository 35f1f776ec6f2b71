/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The bare tracepoint: what attaching anything costs. */
#include "bench.h"

TRACE_ENTER int prog(struct enter *ctx)
{
	return 0;
}
