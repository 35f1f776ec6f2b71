/*
 * says: failed to set option 'bufsize' to 'lots': Invalid value for specified option
 */
#pragma D option bufsize=lots
BEGIN { exit(0); }
