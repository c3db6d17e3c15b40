# Sourced by the fetch scripts: one wheel of a Python package, downloaded and checked.
#
# Nothing is installed: `pip download` is allowed also where the system manages its packages.

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}

sha256() { sha256sum "$1" | cut -d' ' -f1; }

# fetch_wheel NAME VERSION FILE SHA256 FOLDER: leaves FOLDER/FILE, or ends the script.
fetch_wheel() {
  command -v python3 >/dev/null 2>&1 ||
    fail "python3 is missing; on Debian: apt-get install python3 python3-pip"
  # The venv is for systems that have no pip of their own.
  if python3 -m pip --version >/dev/null 2>&1; then
    wheel_python=python3
  elif python3 -m venv "$5/venv" >"$5/log" 2>&1; then
    wheel_python=$5/venv/bin/python
  else
    fail "python3 has neither pip nor venv; on Debian: apt-get install python3-pip"
  fi
  if ! "$wheel_python" -m pip download --quiet --disable-pip-version-check --no-deps \
    --only-binary :all: --dest "$5" "$1==$2" >"$5/log" 2>&1; then
    tail -n 3 "$5/log" >&2
    fail "the package $1 $2 could not be downloaded; it needs a network the first time"
  fi
  [ -f "$5/$3" ] || fail "pip brought no $3"
  [ "$(sha256 "$5/$3")" = "$4" ] ||
    fail "the wheel of $1 $2 is not the one this script knows; nothing was kept"
}
