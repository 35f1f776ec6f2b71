# A chapter of docs/guide does what it says. `chapter NN` puts its files (```c file=NAME) into a folder, runs its commands
# (```sh) there in order, each block by a shell, and looks in what a block printed for the lines that <!-- expect REGEX --> after
# it asks for, blanks made one. ```console shows output to readers and is not compared: numbers differ.
. "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.bash"
guide=$(dirname "${BASH_SOURCE[0]}")/../../../docs/guide
chapter() {
    local page block
    page=$(echo "$guide/$1"-*.md)
    mkdir "$dir/bin" "$dir/files"
    ln -s "$DTRACE" "$dir/bin/dtrace"
    for tool in $(grep -oE '\b(calibrate|cpustat|cputrack|dmpstat|hwstat|intrstat|lockstat|plockstat|prstat)\b' "$page" | sort -u); do
        ln -s "$TOOLS" "$dir/bin/$tool"
    done
    for script in $(grep -o '[a-z]*\.d -c' "$page"); do
        [ -e "$guide"/../../toolkit/*/"$script" ] || continue
        sed "1s|^#!/usr/sbin/dtrace|#!$DTRACE|" "$guide"/../../toolkit/*/"$script" >"$dir/bin/$script"
        chmod +x "$dir/bin/$script"
    done
    PATH=$dir/bin:$PATH
    unset LD_LIBRARY_PATH
    awk -v dir="$dir" '
        /^```sh/ { file = sprintf("%s/block.%02d", dir, ++n); next }
        /^```[a-z]* file=/ { file = $0; sub(/.*file=/, "", file); file = dir "/files/" file; next }
        /^```/ { if (file != "") close(file); file = ""; next }
        /^<!-- expect / { line = $0; sub(/^<!-- expect /, "", line); sub(/ -->$/, "", line); print line > sprintf("%s/expect.%02d", dir, n); next }
        file != "" { print > file }
    ' "$page"
    cd "$dir/files" || exit 1
    for block in "$dir"/block.*; do
        [ -e "$block" ] || fail "no commands"
        what="$page: $(cat "$block")"
        bash -e "$block" >"$dir/.out" 2>"$dir/.err" </dev/null
        status=$? out=$(cat "$dir/.out") err=$(cat "$dir/.err")
        ended 0
        [ -e "$dir/expect.${block##*.}" ] || fail "nothing is expected"
        while IFS= read -r line; do
            cat "$dir/.out" "$dir/.err" | awk '{ $1 = $1 } 1' | grep -Eq -- "$line" || fail "no line like: $line"
        done <"$dir/expect.${block##*.}"
    done
}
