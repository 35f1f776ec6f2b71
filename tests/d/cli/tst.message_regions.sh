# Where an error is: region for text of -n, line for scripts, nothing for probe descriptions.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -en 'BEGIN { trace(foo) }'
said 'dtrace: invalid probe specifier BEGIN { trace(foo) }: in action list: failed to resolve foo: Unknown variable name'
run -en 'BEGIN /foo/ { trace(1) }'
said 'dtrace: invalid probe specifier BEGIN /foo/ { trace(1) }: in predicate: failed to resolve foo: Unknown variable name'
run -en 'nonsense:::x'
said 'dtrace: invalid probe specifier nonsense:::x: probe description nonsense:::x does not match any probes'
run -en 'BEGIN { trace(x); }' -x errtags
said 'dtrace: invalid probe specifier BEGIN { trace(x); }: [D_IDENT_UNDEF] in action list: failed to resolve x: Unknown variable name'
printf 'BEGIN\n{\n\tx += 1;\n}\n' > "$dir/a.d"
run -es "$dir/a.d"
said "dtrace: failed to compile script $dir/a.d: line 3: x has not yet been declared or assigned"
printf '# 77 "other.d"\nBEGIN { x += 1; }\n' > "$dir/b.d"
run -es "$dir/b.d"
said "dtrace: failed to compile script $dir/b.d: \"other.d\", line 77: x has not yet been declared or assigned"
printf '#line 9 "nine.d"\nBEGIN { x += 1; }\n' > "$dir/b.d"
run -es "$dir/b.d"
said "dtrace: failed to compile script $dir/b.d: \"nine.d\", line 9: x has not yet been declared or assigned"
