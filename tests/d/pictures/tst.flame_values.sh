# What is shown is what programs would have printed: each value once, however often it is printed and cleared.
. "$(dirname "$0")/lib.bash"
some='@[stack(), "a"] = sum(30); @[stack(), "b"] = sum(12);'
draw flame -n "BEGIN { $some exit(0); }"
shows '@[stack(), ...] = sum(): 42 in 2 stacks'
shows '<title>b (12, 28.6 %)</title>'
# Printed and cleared.
draw flame -n "BEGIN { $some } BEGIN { printa(@); clear(@); exit(0); }"
shows '<title>a (30, 71.4 %)</title>'
draw flame -n "BEGIN { $some } BEGIN { printa(@); printa(@); exit(0); }"
shows '<title>all (42, 100.0 %)</title>'
# Cleared, and nobody had seen it.
draw flame -n "BEGIN { $some } BEGIN { clear(@); exit(0); }"
shows 'nothing was recorded'
hides '<script'
whole '</svg>'
# How much text there would be, and in which unit, is no matter.
draw flame -n "BEGIN { $some } BEGIN { trunc(@, 1); normalize(@, 10); exit(0); }"
shows '<title>all (42, 100.0 %)</title>'
# Times are told from the program; the user knows better.
draw flame -n 'BEGIN { self->t = timestamp - 5000000; @[stack()] = sum((timestamp - self->t) / 1000); exit(0); }'
grep -q '<title>all ([0-9.]* ms, 100.0 %)' "$picture" || fail "no milliseconds"
draw flame -x unit=bytes -x title='memory of <a> & "b"' -n "BEGIN { $some exit(0); }"
shows '<title>memory of &lt;a&gt; &amp; &quot;b&quot;</title>'
shows '<title>all (42 bytes, 100.0 %)</title>'
draw flame -xunit=apples -n "BEGIN { $some exit(0); }"
shows '<title>all (42 apples, 100.0 %)</title>'
# Several aggregations, one below the other; what cannot be drawn is said.
draw flame -n "BEGIN { @one[stack()] = count(); @two[stack(), 2] = count(); @three = count(); exit(0); }"
shows 'id="g0"'
shows 'id="g1"'
hides 'id="g2"'
run -O flame -o "$picture" -n "BEGIN { @one[stack()] = count(); @three = count(); exit(0); }"
says 'dtrace: @three is not in the picture: no stack is among its keys'
