
program dtrace_0 (SyscallEntry): 63 instructions
     0: r2 = map[control+0][0] + 0
     2: r2 = *(u64 *)(r2 + 0)
     3: if r2 != 1 goto +57 <L3>
     4: r6 = *(u64 *)(r1 + 8)
     5: r1 = *(u64 *)(r1 + 0)
     6: r1 = *(u16 *)(r1 + 136)
     7: if r1 != 35 goto +10 <L1>
     8: call bpf_get_smp_processor_id#8
     9: r1 = r0
    10: r1 &= 3
    11: r1 *= 128
    12: r2 = map[drops+64][0] + 64
    14: r1 += r2
    15: r2 = 1
    16: lock *(u64 *)(r1 + 0) += r2
    17: goto +43 <L3>
L1:
    18: if r6 != 0 goto +42 <L3>
    19: call bpf_get_smp_processor_id#8
    20: r1 = r0
    21: r6 = r1
    22: r6 &= 3
    23: r7 = r10
    24: r7 += -16
    25: r1 = r7
    26: r2 = 16
    27: call bpf_get_current_comm#16
    28: r1 = map[a__]
    30: r2 = r7
    31: call bpf_map_lookup_elem#1
    32: r8 = r0
    33: if r8 != 0 goto +21 <L2>
    34: r3 = map[rodata+0][0] + 0
    36: r1 = map[a__]
    38: r2 = r7
    39: r4 = 1
    40: call bpf_map_update_elem#2
    41: r1 = map[a__]
    43: r2 = r7
    44: call bpf_map_lookup_elem#1
    45: r8 = r0
    46: if r8 != 0 goto +8 <L2>
    47: r1 = r6
    48: r1 *= 128
    49: r2 = map[drops+8][0] + 8
    51: r1 += r2
    52: r2 = 1
    53: lock *(u64 *)(r1 + 0) += r2
    54: goto +6 <L3>
L2:
    55: r1 = r6
    56: r1 *= 64
    57: r1 += r8
    58: r2 = *(u64 *)(r1 + 0)
    59: r2 += 1
    60: *(u64 *)(r1 + 0) = r2
L3:
    61: r0 = 0
    62: exit
