# A member of an element for which there is no room: a drop, as for the whole element, and no fault.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/p.d" <<'D'
struct s { int x; int y:5; int z[3]; };
struct s a[int];
int n;
syscall::write:entry /pid == $target/ { a[n].x = 1; n++; a[n].x += 2; a[n].y = 3; a[n].z[n & 1]++; n++; }
END { printf("%d %d", n >= 6000, a[0].x); }
D
run -qs "$dir/p.d" -xdynvarsize=4k -c 'dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'
ended 0
printed '1 1'
says 'dynamic variable drops'
[[ $err != *error* ]] || fail "a fault"
# What comes to nothing frees its element: there is always room.
for body in 'c[n]++; c[n]--; n++;' 'c[n] = 5; c[n] -= 5; n++;' 'c[n] = 1; c[n] = zero; n++;' 's[n] = "x"; s[n] = 0; n++;'
do
	run -q -n "int zero, n; int c[int]; string s[int]; syscall::write:entry /pid == \$target/ { $body } END { printf(\"%d\", n >= 3000); }" \
	    -xdynvarsize=4k -c 'dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'
	ended 0
	printed 1
	[ -z "$err" ] || fail "$body: something said"
done
