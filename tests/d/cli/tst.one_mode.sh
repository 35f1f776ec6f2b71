# -A -G -h -l -V exclude each other.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
for a in -lV -Gl -hl -GV -Al -hG -AG; do
    run $a -n BEGIN
    ended 2
    says 'dtrace: only one of the [-AGhlV] options can be specified at a time'
done
