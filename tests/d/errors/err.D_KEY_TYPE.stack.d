/*
 * says: expression may not be used as 
 * says:  index: key #1
 */
BEGIN { x[stack()] = 1; }
