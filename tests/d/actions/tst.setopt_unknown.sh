# setopt() of what does not exist is an error of the action.
err=$("$DTRACE" -qn 'BEGIN { setopt("nonsense", "1"); setopt("quiet", "perhaps"); printf("on"); exit(0); }' 2>&1 >/dev/null)
echo "$err" | grep -q "couldn't set option \"nonsense\" to \"1\": Invalid option name" || { echo "<$err>"; exit 1; }
echo "$err" | grep -q "couldn't set option \"quiet\" to \"perhaps\": Invalid value for specified option" || { echo "<$err>"; exit 1; }
