# Own and total time of functions that call each other.
. "$(dirname "$0")/lib.bash"
script calltime -c "$load functions 10"
ended 0
printf '%s\n' "$out" | awk '
    { calls[$1] = $2; total[$1] = $3; own[$1] = $4 }
    END { exit !(calls["outer"] == 10 && calls["middle"] == 10 && calls["leaf"] == 20 && calls["work"] == 20 &&
        total["outer"] >= 30000 && total["middle"] >= 20000 && total["middle"] < total["outer"] &&
        total["outer"] <= total["do_functions"] && own["outer"] < total["outer"] / 2 && own["middle"] < total["middle"] / 2) }' ||
    fail "other times"
