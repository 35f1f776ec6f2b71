# More than 5000 a second for each CPU is no probe.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
run -en 'profile-5000 { }'; ended 0
for p in profile-5001 profile-199us profile-1ns tick-1000000; do
    run -en "$p { }"
    ended 1
    one_line
done
