/* @@flags -q
 * @@trigger sh -c :
 */
BEGIN { printf("%s|%s|%s|%s\n", probeprov, probemod, probefunc, probename); }
syscall::exit_group:entry /pid == $target/ { printf("%s|%s|%s|%s\n", probeprov, probemod, probefunc, probename); }
END { printf("%s|%s|%s|%s\n", probeprov, probemod, probefunc, probename); }
