# Options that cannot be had are refused with the reason, one line.
. "$(dirname "$0")/../cli/lib.bash"
for o in core=x ctypes=x dtypes=x debug debugassert=x disasm=1 knodefs unodefs ldpath=x modpath=x procfspath=x ctfpath=x dofstashpath=x linktype=dof sysslice useruid=1 tree=1 objcopypath=x grabanon zone=x pcapsize=1; do
    run -x $o -n BEGIN
    ended 1
    one_line
    says "dtrace: failed to set -x ${o%=*}: Option is not supported: "
done
