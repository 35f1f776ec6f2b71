# Every subroutine on strings, at every size of strings that there can be.
cd /
for size in 1 8 256 2048 4096 16384 65536; do
    echo "strsize $size"
    timeout 60 "$DTRACE" -qx strsize=$size -s /dev/stdin <<'D' || exit 1
BEGIN { s = "/usr/lib//x/../trac/Alpha,{1}"; t = "lib//x"; }
BEGIN { printf("%d %d %d %d [%s]\n", strlen(s), s == t, s < t, s == "/usr", s); }
BEGIN { printf("[%s] [%s] [%s]\n", strjoin(s, t), strchr(s, ','), strrchr(s, '/')); }
BEGIN { printf("[%s] [%s] [%s]\n", strstr(s, t), strstr(s, "Alpha"), strstr(s, "/usr/lib//x/../trac/A")); }
BEGIN { printf("%d %d %d %d\n", index(s, t), index(s, t, 6), index(s, "/", 1), index(s, "/usr/lib//x/../trac/B")); }
BEGIN { printf("%d %d %d %d\n", rindex(s, t), rindex(s, "/"), rindex(s, "/", 9), rindex(s, "/usr/lib//x/../trac/A")); }
BEGIN { printf("[%s] [%s] [%s] [%s]\n", substr(s, 1, 3), substr(s, -4), strtok(s, "/"), strtok(NULL, "/u")); }
BEGIN { printf("[%s] [%s] [%s] [%s]\n", toupper(s), tolower(s), basename(s), dirname(s)); }
BEGIN { printf("[%s] [%s] [%s]\n", cleanpath(s), lltostr(-12345), lltostr(255, 16)); }
BEGIN { printf("%d %d %d\n", strtoll("  -123x"), strtoll(s, 16), strtoll("7fffffff", 16)); }
BEGIN { printf("[%s] [%s]\n", json("{\"a\": [1, {\"b\": \"text\"}]}", "a[1].b"), json(s, t)); }
BEGIN { a = (ipaddr_t *)alloca(4); *a = htonl(0x7f000001); printf("[%s] [%s] [%s]\n", inet_ntop(2, a), inet_ntoa(a), stringof(curthread->comm)); }
BEGIN { printf("[%s] [%s]\n", cwd, execname); }
BEGIN { printf("%d %d\n", strlen(copyinstr(curthread->mm->arg_start)) > 0, strlen(execargs) > 0); }
BEGIN { m[s, t] = t; this->s = s; n[1] = strjoin(t, s); @k[s] = count(); }
BEGIN { printf("[%s] [%s] [%s]\n", m[s, t], this->s, n[1]); printa("[%s] %@d\n", @k); exit(0); }
D
done
