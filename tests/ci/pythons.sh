#!/usr/bin/env bash
# Runs the unit tests, the archives and the wheel under every CPython that can be had.
#
# From pyenv where it is, else from a Debian suite in a root of its own. On one of them the tests run in
# Python's development mode, with each warning an error.
# shellcheck source=tests/ci/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

suites=(3.9:bullseye 3.10: 3.11:bookworm 3.12: 3.13:trixie 3.14:forky 3.15:forky)
strict=(-X dev -b -W error)

# root_of SUITE: a Debian root with the suite's Pythons, made once
root_of() {
  local suite=$1 root=$cache/$1-root-4 packages=python3
  [ "$suite" != bullseye ] || packages=python3,python2.7-minimal
  [ "$suite" != forky ] || packages=python3.14,python3.15
  [ ! -e "$root/made" ] || return 0
  rm -rf "$root"
  mmdebstrap --quiet --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' \
    --include="$packages,base-files,dash,bash,coreutils" "$suite" "$root"
  mkdir -p "$root/src" "$root/work"
  echo '127.0.0.1 localhost' >"$root/etc/hosts"
  echo 'hosts: files' >"$root/etc/nsswitch.conf"
  touch "$root/made"
}

# in_root SUITE COMMAND...: the project at /src and $work at /work, both read-only; an empty /tmp
in_root() {
  local root=$cache/$1-root-4
  shift
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -ec '
    root=$1 project=$2 work=$3; shift 3
    mount --bind "$project" "$root/src"; mount -o remount,ro,bind "$root/src"
    mount --bind "$work" "$root/work"; mount -o remount,ro,bind "$root/work"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp LANG=C.UTF-8 \
      PYTHONDONTWRITEBYTECODE=1 sh -c "cd /src; exec \"\$@\"" sh "$@"' \
    _ "$root" "$project" "$work" "$@"
}

unit_tests() { # PYTHON...
  local log
  log=$(mktemp -p "$work")
  "$@" -m unittest -q 2>&1 | tee "$log"
  grep -q '^Ran [1-9]' "$log"
}

# try_python WHAT PLACE COMMAND...: a Python to which $work is PLACE
try_python() {
  local what=$1 place=$2 options=()
  shift 2
  [[ $what != *3.13* ]] || options=("${strict[@]}")
  check "$what: unit tests${options[*]:+ ${options[*]}}" unit_tests "$@" "${options[@]}"
  check "$what: archive" answers "$@" -I "$place/a folder/adrkit-mcp.pyz" --cwd "$place/repo"
  check "$what: decisionscope archive" "$@" -I "$place/a folder/decisionscope.pyz" --version
  check "$what: wheel" answers "$@" -I -c \
    "import sys; sys.path.insert(0, '$place/wheel'); from adrkit_mcp.cli import main; sys.exit(main())" \
    --cwd "$place/repo"
}

# refused PLACE COMMAND...: a Python that is too old is told so in a line
refused() {
  local place=$1 told status=0
  shift
  told=$("$@" "$place/a folder/adrkit-mcp.pyz" 2>&1 >/dev/null) || status=$?
  echo "$told"
  same status 1 "$status"
  same lines 1 "$(wc -l <<<"$told")"
  grep -q '^adrkit-mcp needs Python 3.9 or later' <<<"$told"
}

make_programs() {
  python3 -m adrkit_mcp.pack "$work/a folder"
  build_wheel "$work/dist"
  python3 -m zipfile -e "$work"/dist/*.whl "$work/wheel"
  make_repository "$work/repo"
}

pyenv_python() { # VERSION
  local found=("$(pyenv root 2>/dev/null || echo "$HOME/.pyenv")"/versions/"$1".*/bin/"python$1")
  [ -x "${found[0]}" ] && echo "${found[0]}"
}

must "tools" install_tools
must "archives and wheel" make_programs
for old in 2.7 3.6 3.7 3.8; do
  if python=$(pyenv_python "$old"); then
    check "CPython $old is refused" refused "$work" "$python"
  elif [ "$old" = 2.7 ]; then
    must "mmdebstrap" install mmdebstrap
    must "Debian bullseye" root_of bullseye
    check "CPython 2.7 is refused (bullseye)" refused /work in_root bullseye /usr/bin/python2.7
  fi
done
for pair in "${suites[@]}"; do
  version=${pair%%:*} suite=${pair##*:}
  if python=$(pyenv_python "$version"); then
    try_python "CPython $version" "$work" "$python" &
  elif [ -n "$suite" ]; then
    must "mmdebstrap" install mmdebstrap
    must "Debian $suite" root_of "$suite"
    try_python "CPython $version ($suite)" /work in_root "$suite" "/usr/bin/python$version" &
  else
    printf 'absent  CPython %s: neither in pyenv here nor in a suite of Debian\n' "$version"
  fi
  # three at a time: the tests wait more than they compute
  [ "$(jobs -pr | wc -l)" -lt 3 ] || wait -n
done
wait
finish
