# An installed script runs by its name alone, with the installed dtrace; its area has its example.
# @@needs nothing root
. "$(dirname "$0")/../cli/lib.bash"
tests=$(dirname "$0")
"$tests/../../../tools/install-toolkit" "$dir/stage" "$dir/prefix" >"$dir/.out" || fail "install-toolkit"
mv "$dir/stage$dir/prefix" "$dir/prefix" || fail "not below PREFIX"
mkdir "$dir/prefix/sbin" && cp "$DTRACE" "$dir/prefix/sbin/dtrace"
bin=$dir/prefix/share/dtrace/toolkit/bin
[ "$(ls "$bin" | wc -l)" = "$(ls "$tests"/../../../toolkit/*/*.d | wc -l)" ] || fail "scripts are missing"
PATH=$bin:$PATH
opensnoop.d -c 'cat /dev/null' /dev/null >"$dir/.out" 2>"$dir/.err"
status=$? out=$(cat "$dir/.out") err=$(cat "$dir/.err") what="opensnoop.d"
ended 0
prints ' /dev/null'
[ -s "$dir/prefix/share/dtrace/toolkit/files/opensnoop.txt" ] || fail "no example"
