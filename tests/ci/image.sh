#!/usr/bin/env bash
# Builds the Dockerfile's images and runs them as clients do.
#
# Works without a registry: a Debian root with Python stands in for the base image, under its name.
# shellcheck source=tests/ci/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

base=$(sed -n 's/^ARG BASE=//p' "$project/Dockerfile")
hardened=(--network none --read-only --cap-drop ALL --security-opt no-new-privileges)

# A storage of its own, which goes as a whole. runc, because crun 1.8 refuses hybrid control groups; the
# limits, because those that podman sets by itself take a privilege that a sandbox may not have.
configure_podman() {
  cat >"$work/storage.conf" <<CONF
[storage]
driver = "overlay"
graphroot = "$work/storage"
runroot = "$work/run"
CONF
  cat >"$work/containers.conf" <<CONF
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
CONF
  export CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf
}

make_base() {
  local tar=$cache/base-trixie.tar
  if [ ! -e "$tar" ]; then
    mmdebstrap --quiet --variant=extract --include=python3,base-files,base-passwd,dash,coreutils \
      --extract-hook='cp "$1/usr/share/base-passwd/passwd.master" "$1/etc/passwd"; cp "$1/usr/share/base-passwd/group.master" "$1/etc/group"' \
      --extract-hook='mkdir -p "$1/usr/local/bin"; ln -s /usr/bin/python3 "$1/usr/local/bin/python3"' \
      trixie "$work/base.tar"
    mv "$work/base.tar" "$tar"
  fi
  podman import -q --change 'CMD ["python3"]' "$tar" "$base"
}

build() { # TARGET
  podman build -q --pull=never --target "$1" -t "$1:ci" "$project"
}

inspect() { # IMAGE FORMAT
  podman image inspect --format "$2" "$1:ci"
}

configured() { # PROGRAM CMD
  same user 65532:65532 "$(inspect "$1" '{{.Config.User}}')"
  same entrypoint "[\"python3\",\"-I\",\"/app/$1.pyz\"]" "$(inspect "$1" '{{json .Config.Entrypoint}}')"
  same cmd "$2" "$(inspect "$1" '{{json .Config.Cmd}}')"
  same volumes null "$(inspect "$1" '{{json .Config.Volumes}}')"
  same title "$1" "$(label "$1" org.opencontainers.image.title)"
  same licenses Apache-2.0 "$(label "$1" org.opencontainers.image.licenses)"
  same version "$1 $(label "$1" org.opencontainers.image.version)" "$(podman run --rm "$1:ci" --version)"
}

label() { # IMAGE NAME
  inspect "$1" "{{index .Config.Labels \"$2\"}}"
}

named_for_registry() {
  same name "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["name"])' <"$work/out/server.json")" \
    "$(label adrkit-mcp io.modelcontextprotocol.server.name)"
}

small() { # PROGRAM: what it adds to the base, in bytes
  local added=$(($(inspect "$1" '{{.Size}}') - $(podman image inspect --format '{{.Size}}' "$base")))
  echo "$added bytes"
  [ "$added" -lt 200000 ]
}

same_archive() { # PROGRAM: the image holds the file that is released
  same sha256 "$(sha256sum <"$work/out/$1.pyz")" \
    "$(podman run --rm --entrypoint python3 "$1:ci" -c \
      "import sys; sys.stdout.buffer.write(open('/app/$1.pyz', 'rb').read())" | sha256sum)"
}

serves() { # REPOSITORY OPTION...
  local repository=$1
  shift
  answers podman run -i --rm "${hardened[@]}" -v "$repository:/repo:ro" "$@" adrkit-mcp:ci
}

passes_arguments() {
  podman run --rm "${hardened[@]}" -v "$work/repo:/repo:ro" adrkit-mcp:ci lint
  podman run --rm "${hardened[@]}" -v "$work/repo:/repo:ro" adrkit-mcp:ci \
    call get_decision '{"ref":"0001"}' --dir docs/adr | grep -q '"found"'
}

# ends_with STATUS STDERR COMMAND...: the program says so and no more than that on stderr
ends_with() {
  local expected=$1 pattern=$2 status=0
  shift 2
  "$@" >"$work/stdout" 2>"$work/err" || status=$?
  cat "$work/stdout" "$work/err"
  same status "$expected" "$status"
  same stdout "" "$(cat "$work/stdout")"
  grep -qx -- "$pattern" "$work/err" || same stderr "$pattern" "something else"
  same lines 1 "$(wc -l <"$work/err")"
}

silent_at_end_of_input() {
  echo "$initialize" | podman run -i --rm -v "$work/repo:/repo:ro" adrkit-mcp:ci 2>&1 >/dev/null |
    tee "$work/err"
  same stderr "" "$(cat "$work/err")"
}

ends_at_sigterm() { # PROGRAM OPTION...: as the first process, within a second
  local program=$1 begin status=0
  shift
  rm -f "$work/input" "$work/first"
  mkfifo "$work/input"
  podman run -i --rm --name "$program" "$@" "$program:ci" <"$work/input" >"$work/first" 2>"$work/err" &
  exec 9>"$work/input"
  echo "$initialize" >&9
  timeout 20 sh -c 'until [ -s "$0" ]; do sleep 0.05; done' "$work/first"
  begin=$(date +%s%N)
  podman kill --signal TERM "$program" >"$work/killed"
  wait $! || status=$?
  exec 9>&-
  echo "$((($(date +%s%N) - begin) / 1000000)) ms, exit $status"
  same status 0 "$status"
  [ $(($(date +%s%N) - begin)) -lt 1500000000 ] # half a second of it is podman's own
}

decisionscope_serves() {
  echo "$initialize" | podman run -i --rm "${hardened[@]}" decisionscope:ci | grep -q '"serverInfo"'
}

must "podman" install podman runc mmdebstrap
must "tools" install_tools
configure_podman
must "stand-in for $base" make_base
check "hadolint" "$tools/bin/hadolint" Dockerfile
must "archives" python3 -m adrkit_mcp.pack "$work/out"
must "build adrkit-mcp" build adrkit-mcp
must "build decisionscope" build decisionscope
for program in adrkit-mcp decisionscope; do
  check "$program: holds the released archive" same_archive "$program"
  check "$program: small" small "$program"
done
check "adrkit-mcp: configuration" configured adrkit-mcp null
check "decisionscope: configuration" configured decisionscope '["mcp"]'
check "adrkit-mcp: label for the registry" named_for_registry

make_repository "$work/repo"
make_repository "$work/worktree"
rmdir "$work/worktree/.git"
echo "gitdir: /nowhere/.git/worktrees/x" >"$work/worktree/.git"
chmod -R a+rX "$work"
check "serves a repository" serves "$work/repo"
check "serves a worktree whose .git points outside the mount" serves "$work/worktree"
check "serves as an odd user" serves "$work/repo" --user 54321:12345
check "serves as a user without a group" serves "$work/repo" --user 54321
check "serves as root without capabilities" serves "$work/repo" --user 0:0
check "passes call, lint and flags" passes_arguments
check "says that nothing is mounted" ends_with 1 'adrkit-mcp: .*/repo.*' \
  podman run -i --rm "${hardened[@]}" adrkit-mcp:ci
check "tells of a forgotten -i" ends_with 0 'adrkit-mcp: .*no input.* -i .*' \
  podman run --rm "${hardened[@]}" -v "$work/repo:/repo:ro" adrkit-mcp:ci
check "ends in silence at the end of its input" silent_at_end_of_input
check "ends at SIGTERM as the first process" ends_at_sigterm adrkit-mcp -v "$work/repo:/repo:ro"
check "decisionscope: serves without arguments" decisionscope_serves
check "decisionscope: runs commands" ends_with 1 'decisionscope: .*RITHMO_MCP_TOKEN.*' \
  podman run --rm "${hardened[@]}" decisionscope:ci whoami
check "decisionscope: ends at SIGTERM as the first process" ends_at_sigterm decisionscope
finish
