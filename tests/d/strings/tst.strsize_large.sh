# Strings of up to 64 KiB; where a thread cannot have them the message says how much it can.
. "$(dirname "$0")/../cli/lib.bash"
for size in 4k 64k; do
    run -x strsize=$size -qn 'BEGIN { s = strjoin("some", "text"); a[1] = s; this->t = s; @[s] = count(); printf("%s %d %s %s\n", s, strlen(s), a[1], this->t); exit(0); }'
    ended 0
    said ''
    prints 'sometext 8 sometext sometext'
done
run -x strsize=32k -qn 'BEGIN { self->s = strjoin("some", "text"); printf("%s\n", self->s); exit(0); }'
prints 'sometext'
run -x strsize=64k -qn 'BEGIN { self->s = "x"; }'
ended 1
says 'the thread-local variables take 65536 bytes; this kernel stores 65280 for a thread'
run -x strsize=65k -qn 'BEGIN { exit(0); }'
ended 1
says 'Invalid value for specified option'
