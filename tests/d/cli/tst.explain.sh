# --explain has a word on every tag that a test raises.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
for tag in D_SYNTAX D_IDENT_UNDEF D_PDESC_ZERO D_LLQUANT_MAGRANGE D_PROC_GRAB D_XLATE_NOCONV; do
    run --explain $tag
    ended 0
    [ ${#out} -gt 40 ] || fail "too short"
done
run --explain D_NONSENSE
[ "$status" != 0 ] || fail "explains nonsense"
one_line
