# What cannot be drawn is an error before anything is traced, and says what to write instead.
. "$(dirname "$0")/lib.bash"
picture=$dir/picture
refuses() {
    ended "${2-1}"
    says "$1"
    one_line
    [ ! -e "$picture" ] && [ -z "$(ls -A "$dir" | grep unfinished)" ] || fail "there is a file"
}
run -O flame -o "$picture" -n 'BEGIN { @ = count(); exit(0); }'
refuses 'the program has none: write @[stack()] = count()'
run -O flame -o "$picture" -n 'BEGIN { stack(); exit(0); }'
refuses 'in place of stack() or ustack()'
run -O flame -o "$picture" -n 'BEGIN { @m[stack()] = max(1); exit(0); }'
refuses '@m cannot be drawn: max() values of several stacks do not add up'
run -O heatmap -o "$picture" -n 'BEGIN { @ = count(); exit(0); }'
refuses 'write @ = quantize(VALUE)'
run -O trace -o "$picture" -n 'BEGIN { @ = count(); exit(0); }'
refuses 'no clause of the program records anything: write empty bodies'
run -e -O flame -n 'BEGIN { @ = count(); }'
refuses 'the program has none'
run -O flame -l -n BEGIN
refuses 'not with -l' 2
run -O flame -o "$dir/no/such/place" -n 'BEGIN { @[stack()] = count(); exit(0); }'
refuses "failed to open output file '$dir/no/such/place': No such file or directory"
run -e -O flame -n 'BEGIN { @[stack()] = count(); }'
ended 0
