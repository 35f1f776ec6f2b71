# Pragmas of a script set options; others are ignored; bad ones name their line.
. "$(dirname "$0")/lib.bash"
cat > "$dir/a.d" <<'D'
#pragma D option quiet
#pragma D option strsize=8
#pragma ident "anything"
#ident "anything"
#
#pragma some other compiler
BEGIN
{
	x = "0123456789";
	printf("%d", strlen(x));
	exit(0);
}
D
run -s "$dir/a.d"
ended 0
said ''
printed 7
printf '#pragma D option bufsize=nonsense\nBEGIN { }\n' > "$dir/b.d"
run -es "$dir/b.d"
ended 1
said "dtrace: failed to compile script $dir/b.d: line 1: failed to set option 'bufsize' to 'nonsense': Invalid value for specified option"
