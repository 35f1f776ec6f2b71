# A heat map: columns are what programs print, or what has come in every aggrate.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
# The counts of all cells, added up; and how many columns have one.
cells() { sed -n 's/.*<title>[^:]*: [^:]*: \([0-9,]*\) (.*/\1/p' "$picture" | tr -d , | awk '{ sum += $1 } END { print sum + 0 }'; }
columns() { sed -n 's/.*class="cell" x="\([0-9.]*\)".*/\1/p' "$picture" | sort -u | wc -l; }

# The program's own columns, cleared and not.
for then in 'clear(@);' 'trunc(@);' ''; do
    draw heatmap -n 'int n; tick-20ms { @ = quantize(1000); @ = quantize(70000); n += 2; }
        tick-300ms { printa(@); '"$then"' } tick-1100ms { exit(0); } END { system("echo %d >'"$dir"'/n", n); }' -w
    ended 0
    whole '</svg>'
    [ "$(cells)" = "$(cat "$dir/n")" ] || fail "$(cells) values in cells, $(cat "$dir/n") counted ($then)"
    c=$(columns)
    [ "$c" -ge 3 ] && [ "$c" -le 5 ] || fail "$c columns ($then)"
done
shows ': 512 to 1,024: '
shows ': 65,536 to 131,072: '
# Nobody prints.
draw heatmap -xaggrate=100ms -xunit=ns -n 'int n; tick-20ms { @[n & 1] = lquantize(n * 10, 0, 5000, 100); n++; } tick-1100ms { exit(0); }
    END { system("echo %d >'"$dir"'/n", n); }' -w
[ "$(cells)" = "$(cat "$dir/n")" ] || fail "$(cells) values in cells, $(cat "$dir/n") counted"
[ "$(columns)" -ge 6 ] || fail "$(columns) columns"
shows ': 100 ns to 200 ns: '
shows '>0</text>'
shows '>1</text>'
# Nothing.
draw heatmap -n 'BEGIN { @["x"] = quantize(1); } BEGIN { clear(@); exit(0); } tick-1h { @["x"] = quantize(2); }'
whole '</svg>'
draw heatmap -n 'tick-1h { @ = quantize(1); } BEGIN { exit(0); }'
shows 'nothing was recorded'
