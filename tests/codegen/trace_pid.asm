
program dtrace_0 (Tick { period_ns: 1000000000 }): 55 instructions
     0: r1 = map[control+0][0] + 0
     2: r1 = *(u64 *)(r1 + 0)
     3: if r1 != 1 goto +49 <L5>
     4: call bpf_get_smp_processor_id#8
     5: r1 = r0
     6: r6 = r1
     7: r6 &= 3
     8: *(u32 *)(r10 - 8) = r6
     9: r1 = map[scratch]
    11: r2 = r10
    12: r2 += -8
    13: call bpf_map_lookup_elem#1
    14: r7 = r0
    15: if r7 == 0 goto +37 <L5>
    16: call bpf_ktime_get_ns#5
    17: r8 = r0
    18: call bpf_get_current_pid_tgid#14
    19: r1 = r0
    20: r1 >>= 32
    21: *(u32 *)(r7 + 32) = r1
    22: *(u64 *)(r7 + 16) = r8
    23: *(u32 *)(r7 + 24) = 0
    24: *(u32 *)(r7 + 28) = 0
    25: r2 = r7
    26: r2 += 16
    27: if r6 != 0 goto +3 <L1>
    28: r1 = map[buffer_0]
    30: goto +10 <L4>
L1:
    31: if r6 != 1 goto +3 <L2>
    32: r1 = map[buffer_1]
    34: goto +6 <L4>
L2:
    35: if r6 != 2 goto +3 <L3>
    36: r1 = map[buffer_2]
    38: goto +2 <L4>
L3:
    39: r1 = map[buffer_3]
L4:
    41: r3 = 24
    42: r4 = 1
    43: call bpf_ringbuf_output#130
    44: r1 = r0
    45: if r1 == 0 goto +7 <L5>
    46: r1 = r6
    47: r1 *= 128
    48: r2 = map[drops+0][0] + 0
    50: r1 += r2
    51: r2 = 1
    52: lock *(u64 *)(r1 + 0) += r2
L5:
    53: r0 = 0
    54: exit
