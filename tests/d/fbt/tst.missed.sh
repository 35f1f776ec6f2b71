# A function that the kernel calls for the program itself (to walk a stack) fires inside the program: such firings are
# missed, and that is said.
# On x86: that of 64-bit Arm walks stacks without a function that could be probed.
# @@needs probe=fbt::__x64_sys_read:entry
# @@needs probe=fbt::__kernel_text_address:entry
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'fbt::__kernel_text_address:entry /pid == $target/ { @ = max(stackdepth); }' -c 'cat /proc/self/stack'
ended 0
says 'missed at __kernel_text_address: its program was running on the CPU already'
