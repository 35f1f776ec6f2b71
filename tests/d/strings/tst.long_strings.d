/* Strings of 40,000 bytes and more: found, compared and changed at their ends. @@flags -q -x strsize=64k */
BEGIN { s = "0123456789abcdef"; }
BEGIN { s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); }
BEGIN { s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); printf("%d\n", strlen(s)); }
BEGIN { t = strjoin(s, "0123456789abcde/the end, or almost/"); u = strjoin(t, "x"); printf("%d\n", strlen(u)); }
BEGIN { printf("%d %d %d %d\n", t == u, t < u, u < t, t == strjoin(s, "0123456789abcde/the end, or almost/")); }
BEGIN { printf("%d %d %d\n", index(u, "end"), index(u, "0123456789abcdef0123456789abcde/the"), index(u, t)); }
BEGIN { printf("%d %d %d\n", rindex(u, "0"), rindex(u, "0123456789abcdef0123456789abcdef"), rindex(u, t)); }
BEGIN { printf("[%s] [%s] [%s]\n", strchr(u, '/'), strrchr(u, '/'), strstr(u, "almost")); }
BEGIN { printf("[%s] [%s] [%s]\n", substr(u, 32790), basename(t), substr(toupper(u), -9)); }
BEGIN { v = dirname(t); printf("%d\n", strlen(v)); }
BEGIN { w = strjoin("/a/../", strjoin(s, "/b/../c")); x = cleanpath(w); printf("%d [%s]\n", strlen(x), strrchr(x, '/')); }
BEGIN { y = strtok(u, "/"); printf("%d [%s]\n", strlen(y), strtok(NULL, "")); }
BEGIN { j = strjoin("{\"a\": \"", strjoin(s, "\", \"b\": [1, 22]}")); printf("[%s] %d\n", json(j, "b[1]"), strlen(json(j, "a"))); }
BEGIN { z = strjoin(s, s); printf("%d [%s]\n", strlen(z), substr(z, -3)); exit(0); }
