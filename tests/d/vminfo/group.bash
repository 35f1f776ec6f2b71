# Sourced by tests that need a process with little memory.

# in_group MIB: reads commands and leaves $dir/load, a script that runs them in a control group of so much memory.
in_group() {
    cat >"$dir/load" <<'L'
group=/sys/fs/cgroup
[ -e $group/memory ] || [ -e $group/cgroup.controllers ] || mount -t cgroup2 none $group || exit 1
if [ -e $group/memory ]; then
    group=$group/memory limit=memory.limit_in_bytes
else
    limit=memory.max
    echo +memory >$group/cgroup.subtree_control
fi
own=$group/dtrace-test-$$
L
    echo "mkdir \$own && echo $(($1 << 20)) >\$own/\$limit && echo \$\$ >\$own/cgroup.procs || exit 1" >>"$dir/load"
    cat >>"$dir/load"
    printf 'echo $$ >$group/cgroup.procs\nrmdir $own\n' >>"$dir/load"
}
