/* golden: ir */
uint8_t a; int64_t b;
BEGIN { b = (int8_t)(a + 200) >> 1; }
