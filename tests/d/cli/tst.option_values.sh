# -x: sizes with suffixes, rates with units, names of every run-time option.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
for good in bufsize=1048576 bufsize=64k bufsize=4m bufsize=4M aggsize=1m specsize=32k dynvarsize=2m strsize=1k nspec=2 \
    switchrate=10hz switchrate=100ms switchrate=1s switchrate=1sec switchrate=5min switchrate=100 aggrate=0 statusrate=1hz \
    cleanrate=101hz bufpolicy=switch bufresize=auto bufresize=manual stackframes=5 stackindent=4 ustackframes=5 \
    aggsortkey aggsortrev aggsortpos=1 aggsortkeypos=0 temporal=yes temporal=no quiet flowindent destructive rawbytes zdefs \
    defaultargs errtags droptags empty amin=Unstable/Unstable/Unknown version=1.0 version=1.6.3 version=1.13 nolibs \
    jstackframes=9 jstackstrsize=100 aggpack aggzoom agghist encoding=ascii encoding=utf8 verbose; do
    run -x $good -en 'BEGIN { x = 1; }'
    ended 0
done
