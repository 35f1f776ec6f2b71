/*
 * says: invalid control directive: #define
 */
#define X 1
BEGIN { trace(X); }
