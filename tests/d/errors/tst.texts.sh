# The text of every error, word for word where a test says it: comment lines "says: TEXT" of the err. files beside.
# @@needs nothing
# @@timeout 120
fail=0 checked=0
cd "$(dirname "$0")" || exit 1
for file in err.*.d; do
    grep -q 'says: ' "$file" || continue
    flags=$(sed -n 's/^.*@@flags //p' "$file") args=$(sed -n 's/^.*@@args //p' "$file")
    # shellcheck disable=SC2086
    got=$("$DTRACE" -xerrtags -e $flags -s "$file" $args 2>&1)
    while IFS= read -r text; do
        checked=$((checked + 1))
        case $got in
        *"$text"*) ;;
        *)
            printf '%s: does not say: %s\n%s\n' "$file" "$text" "$got"
            fail=1
            ;;
        esac
    done < <(sed -n -e '/^#ident/s/"$//' -e 's/^.*says: //p' "$file")
    case $got in
    "dtrace: failed to compile script $file: [D_"*) ;;
    *)
        printf '%s: begins otherwise: %s\n' "$file" "$got"
        fail=1
        ;;
    esac
done
[ $checked -gt 250 ] || { echo "only $checked texts"; exit 1; }
exit $fail
