/* at most 60 instructions */
profile-97 { @ = lquantize(arg0, 0, 100, 10); }
