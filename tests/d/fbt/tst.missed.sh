# A function that the program calls itself fires inside the program: such firings are missed, and that is said.
# @@needs probe=fbt::strncpy_from_user:entry
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'fbt::strncpy_from_user:entry /pid == $target/ { @[copyinstr(arg1) == "" ? 0 : 1] = count(); }' -c 'ls /'
ended 0
says 'missed at strncpy_from_user: its program was running on the CPU already'
