# A server that does not accept: connections must ask again.
. "$(dirname "$0")/lib.bash"
alone
script tcpretrans -c "$load full"
ended 0
like '(9[0-9]{2}|1[0-9]{3}) 127.0.0.1:[1-9][0-9]* 127.0.0.1:[1-9][0-9]* state-syn-sent 1'
