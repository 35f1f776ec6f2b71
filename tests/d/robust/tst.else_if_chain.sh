# A long chain of else if costs no nesting, neither here nor in the kernel's verifier.
. "$(dirname "$0")/../cli/lib.bash"
for taken in 0 250 499 600; do
    {
        echo "BEGIN { x = $taken; } BEGIN {"
        for i in $(seq 0 499); do printf 'if (x == %d) { printf("%d"); x++; } else\n' "$i" "$i"; done
        echo '{ printf("none"); } printf(" end"); exit(0); }'
    } > "$dir/a.d"
    run -qs "$dir/a.d"
    ended 0
    want=$taken
    [ "$taken" -lt 500 ] || want=none
    printed "$want end"
done
