# Without /proc or /sys it works or names what is missing, rather than privileges.
# @@needs unshare
. "$(dirname "$0")/../cli/lib.bash"
for gone in /proc /sys; do
    what="without $gone"
    unshare -m sh -c "mount -t tmpfs none $gone && exec \"\$0\" -qn 'syscall:::entry { @[curthread->comm] = count(); } tick-50ms { exit(0); }'" "$DTRACE" >"$dir/.out" 2>"$dir/.err"
    status=$? out=$(cat "$dir/.out") err=$(cat "$dir/.err")
    case $status in
    0) said '' ;;
    1) one_line; [[ $err == *privileges* ]] && fail "privileges are not what lacks"; says "$gone" ;;
    *) fail status ;;
    esac
done
