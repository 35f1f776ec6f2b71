# What a library has that the kernel lacks is missing only for who uses it, and the reason is told.
. "$(dirname "$0")/../cli/lib.bash"
mkdir "$dir/lib"
cat > "$dir/lib/a.d" <<'D'
typedef struct mine { int good; int bad; int either; } mine_t;
translator mine_t < struct task_struct *T > {
	good = T->pid;
	bad = T->no_such_member;
	either = T->no_such_member;
	either = T->tgid;
};
inline int BROKEN = curthread->no_such_member;
inline int WORKS = (xlate <mine_t *> (curthread))->good;
D
printf 'inline int SYNTAX = 1;\nthis is = no D {;\n' > "$dir/lib/b.d"
printf '#pragma D depends_on provider nosuch\ninline int UNMET = 1;\n' > "$dir/lib/c.d"
printf '#pragma D depends_on library c.d\ninline int UNMET_TOO = 1;\n' > "$dir/lib/d.d"
printf 'BEGIN { trace("from a library"); }\ninline int PROBES = 1;\n' > "$dir/lib/e.d"
try() { run -L "$dir/lib" -qn "BEGIN { trace($1); exit(0); }"; }
try 'WORKS == tid'
ended 0
printed 1
try '(xlate <mine_t *> (curthread))->either == pid'
printed 1
try '(xlate <mine_t *> (curthread))->bad'
ended 1
says 'translator does not define conversion for member: bad'
try BROKEN
ended 1
says 'failed to resolve BROKEN: Unknown variable name'
for name in SYNTAX UNMET UNMET_TOO; do
    try "$name"
    ended 1
    says "failed to resolve $name: Unknown variable name"
done
try PROBES
printed 1
