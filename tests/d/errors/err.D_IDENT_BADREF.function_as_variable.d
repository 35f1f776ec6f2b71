/*
 * says: 'strlen' may not be referenced as 
 */
BEGIN { trace(strlen); }
