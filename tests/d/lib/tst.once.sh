# What a translator or inline names several times is computed once: it has one value, side effects happen once, and what a
# condition keeps from being needed is not computed.
said=$("$DTRACE" -q -n '
    struct out { int twice; int maybe; };
    translator struct out < int *I > { twice = *I + *I; maybe = I == NULL ? 0 : *I; };
    inline int square[int n] = n * n;
    inline int unless[int c, int n] = c ? n + n : 7;
    int seven; int calls;
    BEGIN {
        seven = 7;
        printf("%d %d %d\n", square[++calls], calls, square[square[seven - 5]]);
        self->x = 3;
        printf("%d\n", square[self->x + 1]);
        printf("%d\n", unless[0, *(int *)NULL]);
        printf("%d\n", unless[1, strlen("four")]);
        self->none = (int *)NULL;
        printf("%d\n", xlate <struct out> (self->none).maybe);
        exit(0);
    }' 2>&1)
[ "$said" = "$(printf '1 1 16\n16\n7\n8\n0\n')" ] || { echo "said: $said"; exit 1; }

# The file of a descriptor is looked for once.
reads=$("$DTRACE" -e -S -n 'syscall::read:entry { trace(fds[arg0].fi_fs); }' 2>&1 | grep -c probe_read_kernel)
[ "$reads" -ge 5 ] && [ "$reads" -le 12 ] || { echo "$reads reads"; exit 1; }

# Arguments are computed in their order before a body, where one of them or the body changes what another is.
orders() {
    got=$("$DTRACE" -qn "inline int f[int a, int b] = $1; BEGIN { self->u = u = this->u = 5; printf(\"%d %d\", $2, (int)$3); exit(0); }" 2>&1)
    [ "$got" = "$4
" ] || [ "$got" = "$4" ] || { echo "$1 of $2: $got instead of $4"; exit 1; }
}
orders 'a + b * b' 'f[self->u++, self->u]' 'self->u' '41 6'
orders 'a + a + b * b' 'f[this->u, this->u++]' 'this->u' '35 6'
orders 'b > 0 ? a : b' 'f[u, u++]' 'u' '5 6'
orders 'a + (u = 7) + a + b' 'f[u, u]' 'u' '22 7'
