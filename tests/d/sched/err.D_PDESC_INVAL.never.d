/* A probe that Linux cannot have is refused with the reason. @@flags -e */
sched:::schedctl-yield
{
}
