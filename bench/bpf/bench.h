/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the hand-written programs of the benchmark need: no kernel or library headers.
 * Numbers are from linux/bpf.h. Maps are `struct map` objects in section "maps", which the benchmark's loader reads. */
#ifndef BENCH_H
#define BENCH_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define TRACE_ENTER SEC("raw_tp/sys_enter")

enum { MAP_HASH = 1, MAP_PERCPU_HASH = 5, MAP_PERCPU_ARRAY = 6, MAP_RINGBUF = 27 };

struct map {
	u32 type;
	u32 key_size;
	u32 value_size;
	u32 max_entries;
};

/* Context of raw_tp/sys_enter: registers, system call number. */
struct enter {
	u64 regs;
	u64 nr;
};

#if defined(BENCH_ARM64)
enum { NR_READ = 63, NR_GETPPID = 173 };
#else
enum { NR_READ = 0, NR_GETPPID = 110 };
#endif

static void *(*const map_lookup)(void *map, const void *key) = (void *)1;
static long (*const map_update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
static u32 (*const current_cpu)(void) = (void *)8;
static u64 (*const current_pid_tgid)(void) = (void *)14;
static long (*const current_comm)(void *buf, u32 size) = (void *)16;
static void *(*const ringbuf_reserve)(void *ring, u64 size, u64 flags) = (void *)131;
static void (*const ringbuf_submit)(void *record, u64 flags) = (void *)132;

/* Adds one to the value of a key, made if it is not there. */
static inline __attribute__((always_inline)) void bump(void *map, const void *key)
{
	u64 one = 1, *value = map_lookup(map, key);

	if (value)
		*value += 1;
	else
		map_update(map, key, &one, 1 /* BPF_NOEXIST */);
}

#endif
