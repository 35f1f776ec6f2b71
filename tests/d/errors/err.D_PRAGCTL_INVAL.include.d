/*
 * says: invalid control directive: #include
 */
#include <stdio.h>
BEGIN { trace(1); }
