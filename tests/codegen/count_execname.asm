
program dtrace_0 (SyscallEntry): 69 instructions
     0: r2 = map[control+0][0] + 0
     2: r2 = *(u64 *)(r2 + 0)
     3: if r2 != 1 goto +63 <L3>
     4: r6 = *(u64 *)(r1 + 8)
     5: r1 = *(u64 *)(r1 + 0)
     6: r1 = *(u16 *)(r1 + 136)
     7: if r1 != 35 goto +12 <L1>
     8: call bpf_get_smp_processor_id#8
     9: r1 = r0
    10: r1 &= 3
    11: r1 *= 128
    12: r2 = map[drops+40][0] + 40
    14: r0 = r2
    15: r0 += r1
    16: r1 = r0
    17: r2 = 1
    18: lock *(u64 *)(r1 + 0) += r2
    19: goto +47 <L3>
L1:
    20: if r6 != 0 goto +46 <L3>
    21: call bpf_get_smp_processor_id#8
    22: r1 = r0
    23: r6 = r1
    24: r6 &= 3
    25: r7 = r10
    26: r7 += -16
    27: r1 = r7
    28: r2 = 16
    29: call bpf_get_current_comm#16
    30: r1 = map[a__]
    32: r2 = r7
    33: call bpf_map_lookup_elem#1
    34: r8 = r0
    35: if r8 != 0 goto +23 <L2>
    36: r3 = map[rodata+0][0] + 0
    38: r1 = map[a__]
    40: r2 = r7
    41: r4 = 1
    42: call bpf_map_update_elem#2
    43: r1 = map[a__]
    45: r2 = r7
    46: call bpf_map_lookup_elem#1
    47: r8 = r0
    48: if r8 != 0 goto +10 <L2>
    49: r1 = r6
    50: r1 *= 128
    51: r2 = map[drops+8][0] + 8
    53: r0 = r2
    54: r0 += r1
    55: r1 = r0
    56: r2 = 1
    57: lock *(u64 *)(r1 + 0) += r2
    58: goto +8 <L3>
L2:
    59: r1 = r6
    60: r1 *= 64
    61: r0 = r8
    62: r0 += r1
    63: r1 = r0
    64: r2 = *(u64 *)(r1 + 0)
    65: r2 += 1
    66: *(u64 *)(r1 + 0) = r2
L3:
    67: r0 = 0
    68: exit
