# Shared by run and test: what is missing, what to configure, what to build. Everything is said on standard error, so that
# standard output stays the program's own.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# A compiler cache, where there is one: what has been compiled before, in whatever folder, is not compiled again.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache} CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
fi

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# timed NAME COMMAND...: runs it and says how long it took.
timed() {
  local name=$1 start=$SECONDS
  shift
  "$@"
  say "$(printf '%5d s  %s' $((SECONDS - start)) "$name")"
}

# missing_packages LIST [MORE...]: of scripts/LIST, and more.
missing_packages() {
  local list="$root/scripts/$1"
  shift
  { grep -vE '^[[:space:]]*(#|$)' "$list"; [ $# = 0 ] || printf '%s\n' "$@"; } | while read -r package; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

install_missing() {
  command -v dpkg-query >/dev/null || { say "Not a Debian or Ubuntu system: install what scripts/packages.txt lists by hand."; return; }
  local missing
  missing=$(missing_packages packages.txt "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  say "Warpspy needs these packages and will install them with apt-get (skip with --no-install):"
  say "  $missing"
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "Installing needs root and there is no sudo: install the packages above, then run again with --no-install."
    sudo=sudo
  fi
  $sudo apt-get update -qq >&2 || die "apt-get update failed: check the network, or install the packages above by hand and use --no-install."
  # shellcheck disable=SC2086
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2 ||
    die "apt-get could not install the packages above."
}

# What few tests need: what cannot be installed is named, and its tests are skipped.
install_extra() {
  command -v dpkg-query >/dev/null || return 0
  local missing package sudo=""
  missing=$(missing_packages packages-extra.txt)
  [ -n "$missing" ] || return 0
  [ "$(id -u)" -eq 0 ] || sudo="sudo -n"
  $sudo apt-get update -qq >&2 || true
  for package in $missing; do
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >&2 ||
      say "$package cannot be installed; the tests that need it are skipped."
  done
}

# configure PRESET [CMAKE ARGS...]: once, and again when the arguments differ from the last time. In CI warnings are errors: a
# user with a newer compiler should not be stopped by what that compiler newly warns about. CI has no GPU; it compiles for one
# all the same: 9.0, whose code uses everything that newer chips have. What of it runs on the host is not optimised, and the
# rest is compiled in less time, to slower code. What the sanitizers find is told by function there, without lines.
configure() {
  local preset=$1 dir="$root/build/$1" stamp
  shift
  [ "${CI:-}:$preset" != true:release ] || set -- -DWARPSPY_GPUS=9.0 "-DCMAKE_CUDA_FLAGS_RELEASE=-O0 -DNDEBUG -Ofc=max" "$@"
  [ "${CI:-}:$preset" != true:asan ] || set -- "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG" "$@"
  [ "${CI:-}" != true ] || set -- -DWARPSPY_WERROR=ON "$@"
  stamp="$*"
  if [ -f "$dir/build.ninja" ] && [ -f "$dir/.configured-with" ] && [ "$(cat "$dir/.configured-with")" = "$stamp" ]; then return; fi
  say "Configuring ($preset)"
  (cd "$root" && cmake --preset "$preset" "$@" >"$root/build-configure.log" 2>&1) ||
    { cat "$root/build-configure.log" >&2; rm -f "$root/build-configure.log"; die "Configuring failed."; }
  grep -E '^-- (CUDA backend|Window)' "$root/build-configure.log" | sed 's/^-- //' >&2 || true
  mkdir -p "$dir" && mv "$root/build-configure.log" "$dir/configure.log"
  printf '%s' "$stamp" >"$dir/.configured-with"
}

# build PRESET [TARGET...]: says how far it is; silent when there is nothing to do.
build() {
  local dir="$root/build/$1" terminal=no
  shift
  [ ! -t 2 ] || terminal=yes
  export NINJA_STATUS="@%f/%t "
  ninja -C "$dir" -n "$@" >"$dir/pending" 2>/dev/null || true
  ninja -C "$dir" "$@" 2>&1 | awk -v log_file="$dir/.ninja_log" -v terminal=$terminal -f "$root/scripts/progress.awk" "$dir/pending" - >&2 ||
    die "The build failed; the messages above say where."
}
