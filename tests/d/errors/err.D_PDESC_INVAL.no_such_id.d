/*
 * says: invalid probe identifier 99999999: Unknown probe identifier
 */
99999999 { trace(1); }
