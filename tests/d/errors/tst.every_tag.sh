# Every error tag has a test, or a reason in untested.txt; not both.
# @@needs nothing
cd "$(dirname "$0")" || exit 1
fail=0
tags=$(sed -n 's/^    \(D_[A-Z_]*\),$/\1/p' ../../../crates/diag/src/tags.rs)
[ "$(echo "$tags" | wc -l)" -gt 200 ] || { echo "tags not found"; exit 1; }
for tag in $tags; do
    tests=$(compgen -G "err.$tag.*.d" | wc -l)
    reasons=$(grep -c "^$tag: ." untested.txt)
    case "$tests $reasons" in
    "0 0") echo "$tag: no test and no reason"; fail=1 ;;
    "0 1" | [1-9]*" 0") ;;
    *) echo "$tag: $tests tests, $reasons reasons"; fail=1 ;;
    esac
done
while IFS=: read -r tag _; do
    echo "$tags" | grep -qx "$tag" || { echo "untested.txt: $tag is no tag"; fail=1; }
done < <(grep '^D_' untested.txt)
exit $fail
