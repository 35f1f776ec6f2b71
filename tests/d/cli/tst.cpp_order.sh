# -D and -U reach the preprocessor in the order given.
# @@needs cpp
. "$(dirname "$0")/lib.bash"
printf '#ifdef A\n#error A\n#endif\n#ifndef B\n#error B\n#endif\nBEGIN { }\n' > "$dir/a.d"
run -C -D A -U A -U B -D B -es "$dir/a.d"
ended 0
