/* Counters that Linux does not have are refused with the reason. @@flags -e */
sysinfo:::ufsiget
{
}
