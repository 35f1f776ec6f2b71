# Division by zero: at compile time an error, at run time a fault, by / and %, signed and unsigned, in keys and predicates.
. "$(dirname "$0")/../cli/lib.bash"
run -en 'BEGIN { trace(1 / 0); }'
ended 1
says 'expression contains division by zero'
for e in 'trace(1 / z)' 'trace(1 % z)' 'trace((uint64_t)1 / z)' 'trace(-1 % z)' '@[1 / z] = count()' 'a[1 % z] = 1' 'x = 1; x /= z' 'x = 1; x %= z' \
    'printf("%d", 1 / z)' '@ = sum(1 / z)' 'self->x = 1 / z'; do
    run -qn "BEGIN { z = 0; } BEGIN { $e; } BEGIN { exit(0); } ERROR { printf(\"%d\", arg4); }"
    ended 0
    says ': divide-by-zero in action #'
    one_line
    [[ $out == 4* ]] || fail "ERROR was told another code"
done
run -qn 'BEGIN { m = -1; x = (int64_t)0x8000000000000000; printf("%d", x / m == x); exit(0); }'
ended 0
said ''
