# cwd and root: paths, over mounts.
. "$(dirname "$0")/../cli/lib.bash"
for at in / "$dir" /proc /sys/kernel; do
    cd "$at" || exit 1
    run -qn 'BEGIN { printf("%s %s", cwd, root); exit(0); }'
    ended 0
    printed "$(pwd -P) /"
done
