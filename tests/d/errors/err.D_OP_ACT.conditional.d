/*
 * says: action cannot be used in a conditional context
 */
BEGIN { pid ? printf("x") : printf("y"); }
