# Processes that are made and programs that are run, each of a known number.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'sysinfo:::sysfork, sysinfo:::sysvfork, sysinfo:::nthreads /pid == $target/ { @[probename] = sum(arg0); }
    sysinfo:::sysexec /progenyof($target)/ { @[probename] = sum(1); }
    END { printa("%s %@d\n", @); }' -c 'bash -c "(:); (:); (:); /bin/true; /no/such/program; :"'
[ "$(printf '%s\n' "$out" | sort)" = 'nthreads 5
sysexec 2
sysfork 5' ] || fail "counts"
