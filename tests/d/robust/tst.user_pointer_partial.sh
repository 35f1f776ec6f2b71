# A string that ends at the edge of a mapped page is read; one that crosses it is a fault.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import ctypes, mmap
libc = ctypes.CDLL(None, use_errno=True)
size = mmap.PAGESIZE
m = mmap.mmap(-1, 2 * size)
at = ctypes.addressof(ctypes.c_char.from_buffer(m))
m[size - 6:size] = b"/edge\0"
m[size - 12:size - 6] = b"/cross"
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
libc.mprotect(at + size, size, 0)
libc.chdir.argtypes = [ctypes.c_void_p]
libc.chdir(at + size - 6)
libc.chdir(at + size - 12 + 0)
m[size - 1:size] = b"x"
libc.chdir(at + size - 6)
P
run -qn 'syscall::chdir:entry /pid == $target/ { printf("[%s]", copyinstr(arg0)); }' -c "python3 $dir/t.py"
ended 0
printed '[/edge][/cross/edge]'
one_line
says 'syscall::chdir:entry): invalid '
