#!/bin/sh
# Installs what the comparison needs: the distribution's clang (for hand-written BPF C) and its bpftrace.
set -eu
missing=
for tool in clang bpftrace unshare; do
	command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
[ -z "$missing" ] && exit 0
echo "bench/setup.sh: installing$missing with apt"
packages=$(echo "$missing" | sed 's/unshare/util-linux/')
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $packages
