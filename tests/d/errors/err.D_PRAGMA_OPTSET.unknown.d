#pragma D option nonsense=1
BEGIN { exit(0); }
