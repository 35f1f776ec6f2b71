# A program that gives root up, and cannot get it back.
. "$(dirname "$0")/lib.bash"
script privsnoop -c "$load ids"
ended 0
like '.* load 0 setgid 65534 0'
like '.* load 0 setuid 65534 0'
like '.* load 65534 setuid 0 1'
