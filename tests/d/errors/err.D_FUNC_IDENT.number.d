/*
 * says: function designator is not of function type
 */
BEGIN { 1(2); }
