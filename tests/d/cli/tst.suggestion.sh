# A misspelt probe is one clear line.
# @@needs nothing
err=$("$DTRACE" -en syscall::raed:entry 2>&1) && exit 1
[ "$err" = "dtrace: invalid probe specifier syscall::raed:entry: probe description syscall::raed:entry does not match any probes" ] ||
    { echo "$err"; exit 1; }
