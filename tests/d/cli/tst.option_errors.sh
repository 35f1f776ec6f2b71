# -x: unknown names, bad values, words that only the command line may say.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
run -x nonsense -en BEGIN
ended 1
said 'dtrace: failed to set -x nonsense: Invalid option name'
run -x nonsense=3 -en BEGIN
ended 1
said 'dtrace: failed to set -x nonsense: Invalid option name'
for bad in bufsize=x bufsize=12q bufsize=-1 switchrate=fast switchrate=10lightyears bufpolicy=spin strsize= nspec=x stackframes=many \
    amin=Very/Good/Common version=9.9x aggsortpos=x; do
    run -x $bad -en BEGIN
    ended 1
    one_line
    says "dtrace: failed to set -x ${bad%%=*}: "
done
run -x version=9.0 -en BEGIN
ended 1
says 'Requested version'
