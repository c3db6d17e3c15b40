# Sourced by quickstart and test: installs what is missing on Debian. Ends the script with a clear message
# where that is not possible.

setup_root=$([ "$(id -u)" = 0 ] && echo "" || echo sudo)

# is_installed PACKAGE: where there is no dpkg, a library is there that pkg-config finds, and a program
# that can be called.
is_installed() {
  if command -v dpkg-query >/dev/null 2>&1; then
    # A package that was removed and has settings left is known, too.
    [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" = "install ok installed" ]
  else
    case "$1" in
      libgsl-dev) pkg-config --exists gsl 2>/dev/null ;;
      libsqlite3-dev) pkg-config --exists sqlite3 2>/dev/null ;;
      *) command -v "$1" >/dev/null 2>&1 ;;
    esac
  fi
}

# need_packages PACKAGE...: installs those that dpkg does not know as installed.
need_packages() {
  missing=""
  for name in "$@"; do
    is_installed "$name" || missing="$missing $name"
  done
  [ -n "$missing" ] || return 0
  echo "setup: installing$missing" >&2
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: please install$missing by hand; this is no Debian" >&2
    exit 1
  fi
  $setup_root apt-get update -qq >&2
  # shellcheck disable=SC2086
  $setup_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >&2
}

# need_browser: Chromium without windows where Debian has it, which takes a third of the time for a page.
need_browser() {
  if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    need_packages chromium-headless-shell && return 0
  fi
  need_packages chromium
}

command -v swift >/dev/null 2>&1 || {
  echo "setup: swift is missing; install Swift 6.2 or later" >&2
  exit 1
}
need_packages libgsl-dev libsqlite3-dev pkg-config
command -v python3 >/dev/null 2>&1 || need_packages python3
python3 -m pip --version >/dev/null 2>&1 || need_packages python3-pip
