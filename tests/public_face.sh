#!/usr/bin/env bash
# What a stranger reads first is true: the workflow calls the scripts of .ci/run and no others, the changelog's newest version and
# the citation's are the program's, pictures are small, and the pages have the tables that their data say.
#   public_face.sh PROJECT
set -euo pipefail
cd "$1"
failed=no
wrong() { echo "FAILED: $1"; failed=yes; }

called() { grep -ohE 'scripts/[a-z-]+' "$@" | sort -u; }
ours=$(called <(grep -v '^\.\|common.sh' .ci/run))
theirs=$(grep -hE '^ *- run: ' .github/workflows/*.yml | grep -v 'apt-get' | grep -oE 'scripts/[a-z-]+|run: .*' | called /dev/stdin)
[ "$ours" = "$theirs" ] || wrong ".ci/run calls $(echo $ours); the workflows call $(echo $theirs)"
for script in $theirs; do [ -x "$script" ] || wrong "$script is not there"; done
other=$(grep -hE '^ *- run: ' .github/workflows/*.yml | grep -vE 'run: (apt-get|scripts/)' || true)
[ -z "$other" ] || wrong "a workflow does something by itself: $other"

version=$(sed -nE 's/^project\(warpspy VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
newest=$(sed -nE 's/^## \[([0-9.]+)\].*/\1/p' CHANGELOG.md | head -1)
cited=$(sed -nE 's/^version: "?([0-9.]+)"?$/\1/p' CITATION.cff)
[ -n "$version" ] && [ "$newest" = "$version" ] || wrong "CMakeLists.txt has version $version, CHANGELOG.md $newest"
[ "$cited" = "$version" ] || wrong "CMakeLists.txt has version $version, CITATION.cff $cited"

# A name in the table of scripts/gallery: its picture.
for name in $(sed -nE '/^  cat <<TABLE/,/^TABLE/s/^([a-z_]+) \|.*/\1/p' scripts/gallery); do
  [ -s "docs/gallery/$name.png" ] && grep -q "($name.png)" docs/gallery/README.md || wrong "scripts/gallery has $name, docs/gallery has no picture of it"
done

# Byte 25 of a PNG says how it stores colours: 3 is by palette. The program's icons are translucent, and are small anyway.
for picture in tests/golden/*.png docs/*/*.png assets/readme/*.png; do
  [ "$(od -An -tu1 -j25 -N1 "$picture" | tr -d ' ')" = 3 ] || wrong "$picture has no palette, which makes it half as large: scripts/small-pictures $picture"
done

scripts/pages --check || wrong "scripts/pages --check"
[ "$failed" = no ]
