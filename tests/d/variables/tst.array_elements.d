/* Elements of arrays and bit-fields in variables of every kind, by indices that are computed. @@flags -q */
struct bf { int a:3; unsigned b:5; int c; unsigned long d:40; };
struct in { int v[4]; char n[8]; struct bf f[3]; short m[2][3]; };
int g[8]; struct in x; this struct in t; self struct in s; struct in h[string]; this int l[3];
struct bf bg;
BEGIN {
  this->i = 1;
  g[this->i + 2] = 7; g[this->i + 2] += 5; g[this->i + 2]++; printf("%d %d\n", g[3], g[this->i]);
  x.v[this->i] = 3; x.m[this->i][this->i + 1] = -5; x.f[this->i].a = -2; x.f[this->i].b = 30; x.f[this->i].d = 0xabcdef0123;
  printf("%d %d %d %d %x\n", x.v[1], x.m[1][2], x.f[1].a, x.f[this->i].b, x.f[this->i].d);
  x.f[this->i].b += 3; printf("%d %d\n", x.f[1].b, x.f[1].a++); printf("%d %d\n", x.f[1].a, x.f[0].b);

}
BEGIN {
  this->t.v[this->i] = 4; self->s.v[this->i + 1] = 5; h["k"].v[this->i] = 6; this->l[this->i] = 8; h["k"].f[2].a = 1; h["k"].f[2].a--;
  self->s.f[this->i].b = 9; self->s.m[0][this->i]--;
  printf("%d %d %d %d %d %d %d\n", this->t.v[this->i], self->s.v[2], h["k"].v[1], this->l[1], h["k"].f[2].a, self->s.f[1].b, self->s.m[0][1]);
  x.n[0] = 'a'; x.n[this->i] = 'b'; printf("%s %d %s\n", x.n, strlen(x.n), strjoin(x.n, "c"));
  this->k = 4; printf("%d %d %d\n", x.n == "ab", x.f[2].b, h["none"].v[this->i]);
  trace(g[8 - this->i]); print(x.f[this->i]);
  bg = x.f[this->i]; printf("%d %d\n", bg.b, bg.a); x.f[this->i - 1] = bg; x.f[this->i + 1] = x.f[0]; printf("%d %d\n", x.f[2].b, x.f[0].a);
}
BEGIN { exit(0); }
