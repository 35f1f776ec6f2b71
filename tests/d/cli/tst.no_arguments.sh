# Called with nothing, it shows how it is called, on standard error, and ends with 2.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run
ended 2
printed ''
says 'Usage: dtrace '
for flag in n P m f i s c p l e q o x v S w F Z b C D U I H X L V B h G A a; do
    [[ $err == *" -$flag "* ]] || fail "usage lacks -$flag"
done
