# Reading zeros is done by the function of the kernel that reads zeros.
. "$(dirname "$0")/lib.bash"
script hotkernel -c "$load read 12 8000000 /dev/zero" 50
ended 0
like 'FUNCTION SAMPLES'
# Which function fills the memory depends on the CPU; that it is of the kernel and that little else is seen does not.
all=$(sum '`')
between 5 "$all" 3000
like 'vmlinux`[a-z_0-9]+ [0-9]+'
[ "$(lines '0x[0-9a-f]+ [0-9]+')" = 0 ] || fail "addresses instead of functions"
