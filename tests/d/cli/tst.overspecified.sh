# Each flag takes descriptions up to its own part.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
for a in '-P a:b' '-m a:b:c' '-f a:b:c:d' '-n a:b:c:d:e'; do
    # shellcheck disable=SC2086
    run -e $a
    ended 1
    says "dtrace: invalid probe specifier ${a#-? }: "
    says 'Overspecified probe description'
    one_line
done
