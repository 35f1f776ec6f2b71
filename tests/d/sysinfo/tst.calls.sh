# Counters of system calls are what the system calls say.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'int bytes;
    sysinfo:::sysread, sysinfo:::syswrite, sysinfo:::readch, sysinfo:::writech /pid == $target/ { @[probename] = sum(arg0); }
    syscall::read:entry, syscall::readv:entry, syscall::pread64:entry /pid == $target/ { @["sysread"] = sum(-1); }
    syscall::write:entry, syscall::writev:entry, syscall::pwrite64:entry /pid == $target/ { @["syswrite"] = sum(-1); }
    syscall::read:return, syscall::readv:return, syscall::pread64:return /pid == $target && arg0 > 0/ { @["readch"] = sum(-arg0); }
    syscall::write:return, syscall::writev:return, syscall::pwrite64:return /pid == $target && arg0 > 0/ { @["writech"] = sum(-arg0); }
    sysinfo:::writech /pid == $target/ { bytes += arg0; }
    END { printf("%d\n", bytes >= 100000); printa("%s %@d\n", @); }' -c 'dd if=/dev/zero of=/dev/null bs=1000 count=100 status=none'
ended 0
[ "$(printf '%s\n' "$out" | sort)" = '1
readch 0
sysread 0
syswrite 0
writech 0' ] || fail "not what the system calls say"
