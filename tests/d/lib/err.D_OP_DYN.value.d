BEGIN { x = curpsinfo; }
