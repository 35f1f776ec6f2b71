# -O json -l: an object a probe; with -v its argument types and stability.
. "$(dirname "$0")/../cli/lib.bash"
run -O json -l -n BEGIN
ended 0
printed '{"type":"probe","id":1,"provider":"dtrace","module":"","function":"","name":"BEGIN"}'
run -O json -lv -n syscall::read:entry
ended 0
prints '"args":["unsigned int","userland char *","size_t"]'
prints '"stability":{"name":"'
