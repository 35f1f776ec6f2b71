/* A busy CPU gives close to the samples asked for. @@flags -q
 * @@trigger sh -c 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done'
 */
profile-997
/pid == $target/
{
	n++;
}

END
{
	printf("%d\n", n > 50);
}
