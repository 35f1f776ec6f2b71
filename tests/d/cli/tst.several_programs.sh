# Programs of several -n and -s fire in the order given.
. "$(dirname "$0")/lib.bash"
echo 'BEGIN { printf("2"); }' > "$dir/two.d"
run -q -n 'BEGIN { printf("1"); }' -s "$dir/two.d" -n 'BEGIN { printf("3"); }' -n 'BEGIN { printf("4"); exit(0); }'
ended 0
printed 1234
run -q -n 'BEGIN { x = 5; }' -n 'BEGIN { printf("%d", x); exit(0); }'
ended 0
printed 5
echo 'BEGIN { y = 6; }' > "$dir/y.d"
echo 'BEGIN { printf("%d", y); exit(0); }' > "$dir/z.d"
run -q -s "$dir/y.d" -s "$dir/z.d"
ended 0
printed 6
