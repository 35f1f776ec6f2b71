# What this version does not do, it says, in one line.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
for a in -A -a -B; do
    run $a -n BEGIN
    ended 1
    printed ''
    one_line
    says "dtrace: $a is not "
done
