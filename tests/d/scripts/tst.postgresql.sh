# The example for PostgreSQL on the server of the distribution: every query of every connection by its text, from the first one
# of each connection on, which begins while tracing.
# @@needs runuser
# @@needs psql
# @@timeout 120
. "$(dirname "$0")/../cli/lib.bash"
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
readelf -n "$bin/postgres" 2>/dev/null | grep -q 'Provider: postgresql' || { echo "this server has no probes"; exit 0; }
as() { runuser -u postgres -- "$@"; }
chmod 755 "$dir" && install -d -o postgres "$dir/pg" || exit 1
as "$bin/initdb" -D "$dir/pg/data" -A trust --no-sync >"$dir/initdb" 2>&1 || fail "initdb: $(cat "$dir/initdb")"
as "$bin/pg_ctl" -D "$dir/pg/data" -w -l "$dir/pg/log" -o "-c listen_addresses='' -c unix_socket_directories=$dir/pg -c autovacuum=off -F" \
    start >/dev/null || fail "no server: $(cat "$dir/pg/log")"
trap 'as "$bin/pg_ctl" -D "$dir/pg/data" -m immediate stop >/dev/null 2>&1; rm -rf "$dir"' EXIT
sql() { as psql -X -q -h "$dir/pg" -d postgres "$@" >/dev/null || fail "psql"; }
start -s "$(dirname "$0")/../../../examples/postgresql/queries.d"
sleep 2
for ((n = 0; n < 10; n++)); do sql -c 'select 1+1'; done
sql -c 'create table t (n int)' -c 'insert into t select generate_series(1, 1000)' -c 'select sum(n) from t' -c 'select pg_sleep(0.3)'
finish INT
ended 0
line() { printf '%s\n' "$out" | grep -F "  $1" | head -1; }
[[ $(line 'select 1+1') =~ ^' '*10' ' ]] || fail "not ten queries"
for query in 'create table t' 'insert into t' 'select sum(n) from t'; do
    [[ $(line "$query") =~ ^' '*1' ' ]] || fail "not one: $query"
done
us=$(line 'select pg_sleep(0.3)' | awk '{ print $2 }')
[ "${us:-0}" -ge 300000 ] && [ "$us" -lt 2000000 ] || fail "slept $us us"
prints 'value  ------------- Distribution -------------'
