/*
 * says: failed to set option 'nonsense': Invalid option name
 */
#pragma D option nonsense
BEGIN { exit(0); }
