# Destructive actions need -w.
for action in 'system("true")' 'freopen("/dev/null")' 'raise(9)' 'stop()'; do
    err=$("$DTRACE" -qn "BEGIN { $action; exit(0); }" 2>&1) && { echo "$action: no error"; exit 1; }
    [ "$err" = 'dtrace: could not enable tracing: Destructive actions not allowed' ] || { echo "$action: $err"; exit 1; }
done
