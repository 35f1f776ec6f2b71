# Pages that a function touches first.
# @@needs probe=vminfo:::as_fault
. "$(dirname "$0")/lib.bash"
script pagefaults -c "$load touch 500"
ended 0
between 500 "$(with_frame 'load`touch' faults)" 520
