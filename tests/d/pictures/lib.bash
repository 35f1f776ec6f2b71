# Helpers of the tests of pictures: what a picture says, read from its text.
. "$(dirname "$0")/../cli/lib.bash"

# draw FORM ARGUMENTS: runs dtrace, the picture into $picture; it must end well and leave nothing else behind.
draw() {
    local form=$1
    shift
    picture=$dir/picture
    rm -f "$picture"
    run -q -O "$form" -o "$picture" "$@"
    [ -s "$picture" ] || fail "no picture"
    [ -z "$(ls -A "$dir" | grep unfinished)" ] || fail "an unfinished picture stays"
}
# The picture says this.
shows() { grep -qF -- "$1" "$picture" || fail "the picture lacks: $1
$(grep -o '<title>[^<]*' "$picture" | head -50)"; }
hides() { ! grep -qF -- "$1" "$picture" || fail "the picture has: $1"; }
# It is whole.
whole() { [ "$(tail -n 1 "$picture")" = "$1" ] || fail "the picture ends with: $(tail -n 1 "$picture")"; }
