# Memory in hexadecimal.
"$DTRACE" -O json -n 'BEGIN { this->p = (char *)alloca(3); this->p[0] = 1; this->p[1] = 0x7f; this->p[2] = (char)0xff; tracemem(this->p, 3); exit(0); }' 2>/dev/null | sed -E 's/"(cpu|timestamp|pc)":[0-9]+/"\1":0/g' 
