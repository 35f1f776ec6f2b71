/* Names of the providers' own variables are not for programs. @@flags -e */
int __dt_since;

BEGIN
{
}
