#!/usr/bin/env bash
# Builds wheel, sdist and archives as a release does, installs them, and checks what users will find.
# shellcheck source=tests/ci/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

offline=(--no-index --no-build-isolation --no-deps --quiet)

# The sdist from the project, the wheel from the sdist: what is left out of the one is missed in the other.
build() {
  "$tools/bin/python" -c 'import sys; from flit_core.buildapi import build_sdist; build_sdist(sys.argv[1])' \
    "$work/dist"
  "$tools/bin/pip" wheel "${offline[@]}" -w "$work/dist" "$work"/dist/*.tar.gz
  build_wheel "$work/direct"
  same wheel "$(sha256sum <"$(echo "$work"/direct/*.whl)")" "$(sha256sum <"$(echo "$work"/dist/*.whl)")"
}

install_wheel() {
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install "${offline[@]}" "$work"/dist/*.whl
  "$work/venv/bin/pip" check
}

# scripts_run: those that the wheel installs
scripts_run() {
  local version
  version=$("$work/venv/bin/python" -c 'from importlib.metadata import version; print(version("adrkit-mcp"))')
  for script in adrkit-mcp decisionscope; do
    same "$script" "$script $version" "$("$work/venv/bin/$script" --version)"
  done
  make_repository "$work/repo"
  answers "$work/venv/bin/adrkit-mcp" --cwd "$work/repo"
}

metadata() {
  local name line
  cp "$work"/venv/lib/python3*/site-packages/adrkit_mcp-*.dist-info/METADATA "$work"
  cat "$work/METADATA"
  name=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["name"])' <"$work/archives/server.json")
  for line in "<!-- mcp-name: $name -->" 'License-Expression: Apache-2.0' 'Requires-Python: >=3.9' \
    'Classifier: Typing :: Typed' 'Project-URL: Source, https://.*' 'License-File: LICENSE'; do
    grep -qx "$line" "$work/METADATA" || same METADATA "$line" "no such line"
  done
  same dependencies 0 "$(grep -c '^Requires-Dist' "$work/METADATA")"
}

# archives_agree: each Python here makes the same archives
archives_agree() {
  python3 -m adrkit_mcp.pack "$work/archives"
  local python
  for python in /usr/bin/python3 "${HOME}"/.pyenv/versions/3.{9,13}.*/bin/python3; do
    [ -x "$python" ] || continue
    "$python" -m adrkit_mcp.pack "$work/other"
    same "$python" "$(cat "$work/archives/SHA256SUMS")" "$(cat "$work/other/SHA256SUMS")"
  done
  (cd "$work/archives" && sha256sum --quiet -c SHA256SUMS)
  cat "$work/archives/SHA256SUMS"
}

must "tools" install_tools
check "archives are the same from each Python" archives_agree
must "sdist and wheel" build
check "wheel installs without an index" install_wheel
check "console scripts run" scripts_run
check "METADATA" metadata
# TypeAlias: imported for type checkers alone
check "nothing newer than Python 3.9" "$tools/bin/vermin" -q --no-tips --violations -t=3.9- \
  --exclude typing.TypeAlias adrkit_mcp
finish
