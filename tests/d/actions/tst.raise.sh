# raise() sends a signal to the process.
err=$("$DTRACE" -wn 'syscall::write:entry /pid == $target/ { raise(15); }' -c 'sh -c "echo x > /dev/null; sleep 5"' 2>&1)
echo "$err" | grep -q 'terminated by SIGTERM' || { echo "<$err>"; exit 1; }
