/*
 * says: failed to set option 'nonsense' to '1': Invalid option name
 */
#pragma D option nonsense=1
BEGIN { exit(0); }
