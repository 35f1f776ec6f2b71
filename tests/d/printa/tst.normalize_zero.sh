# Division by zero is refused by the consumer.
err=$("$DTRACE" -qn 'BEGIN { @ = count(); normalize(@, 0); exit(0); }' 2>&1) && { echo "no error"; exit 1; }
echo "$err" | grep -q '^dtrace: processing aborted: Invalid normalization' || { echo "<$err>"; exit 1; }
