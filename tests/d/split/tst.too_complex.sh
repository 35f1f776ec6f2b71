# What the kernel's verifier finds too much as one program is split until it does not.
# @@timeout 180
. "$(dirname "$0")/../cli/lib.bash"
awk 'BEGIN { for (i = 0; i < 3000; i++) print "BEGIN /execname == \"dtrace\" || tid == " i "/ { printf(\"%d \", n); n += " i "; }" }' > "$dir/a.d"
echo 'BEGIN { printf("%d", n); exit(0); }' >> "$dir/a.d"
sed -i '1i long n;' "$dir/a.d"
run -qs "$dir/a.d" -x progsize=1000000
ended 0
said ''
last=${out##* }
[ "$last" = 4498500 ] || fail "the sum is $last"
