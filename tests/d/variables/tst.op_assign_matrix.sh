# @@timeout 120
# Every assignment operator, `++` and `--` on every kind of thing that can be assigned to, of every size and sign: the value of
# the expression and what is stored, against the arithmetic of the shell.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

# Narrows $1 to a number of $2 bits, signed if $3 is 1.
narrow() {
	local shift=$((64 - $2))
	if [ "$3" = 1 ]; then
		v=$((($1 << shift) >> shift))
	elif [ "$2" -lt 64 ]; then
		v=$(($1 & ((1 << $2) - 1)))
	else
		v=$1
	fi
}

# All operators on the thing $1 of $2 bits, signed if $3 is 1: bits of `m` are set where something is wrong.
operators() {
	local n=0 a b op
	for op in + - '*' / % '<<' '>>' '&' '|' '^' = ++x --x x++ x--
	do
		narrow $((0x6543210fedcba987 >> n)) $2 $3
		a=$v b=$((n % 3 + 1))
		[ "$3" = 0 ] && a=$((a & 0x7fffffffffffffff))
		case $op in
		=) after=$b value=$b text="$1 = $b" ;;
		++x) narrow $((a + 1)) $2 $3; after=$v value=$v text="++$1" ;;
		--x) narrow $((a - 1)) $2 $3; after=$v value=$v text="--$1" ;;
		x++) narrow $((a + 1)) $2 $3; after=$v value=$a text="$1++" ;;
		x--) narrow $((a - 1)) $2 $3; after=$v value=$a text="$1--" ;;
		*) narrow $((a $op b)) $2 $3; after=$v value=$v text="$1 $op= $b" ;;
		esac
		echo "$1 = $a; m |= ((int64_t)($text) != $value || (int64_t)$1 != $after) << $n;"
		n=$((n + 1))
	done
}

# type bits signed width-of-a-bit-field
while read -r type bits signed field
do
	struct="struct s { int before:2; $type m$field; int after:7; struct { $type z$field; } in[2]; };"
	kinds='g.m self->v.m this->v.m as[1].m self->as["k"].m this->p->m g.in[1].z g.in[i].z self->v.in[i].z this->p->in[i].z
	    as[2].in[i].z all[i].m this->all[i].in[i].z (*this->p).m'
	if [ -z "$field" ]; then
		kinds="$kinds x self->x this->x a[1] self->a[\"q\"] y[1] y[i] self->y[i] this->y[i] (*this->q) this->q[2] this->q[i] md[i][i]"
	fi
	{
		echo "$struct int i; int m; struct s g; self struct s v; this struct s v; struct s as[int]; self struct s as[string];"
		echo "this struct s *p; struct s all[3]; this struct s all[2];"
		echo "$type x; self $type x; this $type x; $type a[int]; self $type a[string]; $type y[4]; self $type y[4];"
		echo "this $type y[4]; this $type *q; $type md[2][2];"
		echo "BEGIN { i = 1; this->p = (struct s *)alloca(sizeof (struct s)); this->q = ($type *)alloca(32);"
		for kind in $kinds
		do
			echo "m = 0; $(operators "$kind" $bits $signed) printf(\"%x\", m);"
		done
		echo 'exit(0); }'
	} > "$dir/p.d"
	want=$(for kind in $kinds; do printf 0; done)
	got=$($DTRACE -qs "$dir/p.d" 2>&1)
	[ "$got" = "$want" ] || { echo "$type$field: $got"; status=1; }
done <<'T'
char 8 1
uint8_t 8 0
short 16 1
uint16_t 16 0
int 32 1
uint32_t 32 0
int64_t 64 1
uint64_t 64 0
unsigned 3 0 :3
int 5 1 :5
uint64_t 40 0 :40
int64_t 33 1 :33
T
exit $status
