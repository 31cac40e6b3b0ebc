#!/usr/bin/env bash
# Configures with toolkits that are stand-ins: what the build says of each, and whether it goes on without it.
#   tests/cmake/toolkits.sh CMAKE
set -euo pipefail
cmake=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# stand_in NAME RELEASE COMPILES: an nvcc that tells this release, and then fails with these words.
stand_in() {
  mkdir -p "$dir/$1"
  cat >"$dir/$1/nvcc" <<SCRIPT
#!/bin/sh
case "\$*" in
  *--version*) echo "Cuda compilation tools, release $2, V$2.0" ;;
  *--list-gpu-arch*) printf 'compute_75\\ncompute_80\\ncompute_90\\n' ;;
  *) echo "$3" >&2; exit 1 ;;
esac
SCRIPT
  chmod +x "$dir/$1/nvcc"
}

# A project of this one file: the rest of ours is not configured again and again.
mkdir -p "$dir/project"
cat >"$dir/project/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.24...3.25)
project(toolkits LANGUAGES CXX)
set(WARPSPY_CUDA AUTO CACHE STRING "")
include($here/../../cmake/Cuda.cmake)
file(WRITE \${CMAKE_BINARY_DIR}/have "\${WARPSPY_HAVE_CUDA}")
PROJECT

# expect NAME ON|AUTO EXIT WORDS: configures with the stand-in NAME.
expect() {
  local name=$1 cuda=$2 wanted=$3 words=$4 status=0
  rm -rf "$dir/build"
  CUDACXX="$dir/$name/nvcc" "$cmake" -G Ninja -S "$dir/project" -B "$dir/build" -DWARPSPY_CUDA="$cuda" "${@:5}" >"$dir/log" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { echo "$name, $cuda: exit code $status instead of $wanted"; cat "$dir/log"; failures=$((failures + 1)); }
  tr '\n' ' ' <"$dir/log" | tr -s ' ' | grep -qF -- "$words" ||
    { echo "$name, $cuda: does not say '$words'"; cat "$dir/log"; failures=$((failures + 1)); }
  if [ "$wanted" = 0 ] && [ "$(cat "$dir/build/have")" != OFF ]; then
    echo "$name, $cuda: went on with CUDA"
    failures=$((failures + 1))
  fi
}

stand_in old 11.8 "unreachable"
stand_in refuses 12.4 "error: -- unsupported GNU version! gcc versions later than 13 are not supported!"
stand_in broken 12.4 "Killed"
mkdir -p "$dir/mute" && printf '#!/bin/sh\nexit 3\n' >"$dir/mute/nvcc" && chmod +x "$dir/mute/nvcc"

expect old AUTO 0 "CUDA backend: off (CUDA 11.8 ($dir/old/nvcc) has no C++20"
expect old ON 1 "WARPSPY_CUDA=ON, but: CUDA 11.8"
expect old ON 1 "CUDACXX=/path/nvcc"
expect refuses AUTO 0 "does not work with this machine's compilers: error: -- unsupported GNU version!"
expect refuses ON 1 "does not work with this machine's compilers"
expect broken AUTO 0 "it does not compile a kernel of three lines"
expect mute AUTO 0 "$dir/mute/nvcc does not say its version"
expect refuses AUTO 0 "WARPSPY_GPUS names 6.1; the toolkit knows 7.5, 8.0, 9.0" -DWARPSPY_GPUS=6.1

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
echo "every stand-in was named and left out"
