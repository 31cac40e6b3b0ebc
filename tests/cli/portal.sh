#!/bin/sh
# The desktop's dialog by way of the XDG portal, on a session bus of its own: portal.sh WARPSPY MOCK_PORTAL
# Skipped (77) where there is no dbus-run-session or no sd-bus library.
command -v dbus-run-session >/dev/null || { echo "no dbus-run-session"; exit 77; }
warpspy=$1 mock=$2
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $1"; cat "$dir"/*; exit 1; }

# ask HOW: what the portal was asked in $dir/asked, what was printed in $dir/out, and the status.
ask() {
  : >"$dir/asked"  # what the mock before it said is not this one's "up"
  dbus-run-session -- sh -c '
    "$1" "$4" >>"$3/asked" & mock=$!
    while kill -0 $mock 2>/dev/null && ! grep -q up "$3/asked"; do sleep 0.05; done
    kill -0 $mock 2>/dev/null || { wait $mock; exit $?; }
    "$2" ask-portal "Open matrices" /tmp "*.mtx" >"$3/out"; status=$?
    kill $mock; exit $status' sh "$mock" "$warpspy" "$dir" "$1" 2>"$dir/errors"
}

ask 0; status=$?
[ $status = 77 ] && { echo "no sd-bus library"; exit 77; }
[ $status = 0 ] || fail "chosen: status $status"
[ "$(cat "$dir/out")" = "/tmp/a b.mtx
/c.mtx" ] || fail "paths"
for line in "title Open matrices" "option multiple" "option filters" "option current_folder"; do
  grep -qx "$line" "$dir/asked" || fail "not asked: $line"
done
ask 1; [ $? = 1 ] || fail "cancel is not told"
[ -s "$dir/out" ] && fail "cancel has paths"
ask 2; [ $? = 2 ] || fail "a refusal is not told"
dbus-run-session -- "$warpspy" ask-portal "Open" /tmp "*.mtx" >"$dir/out" 2>"$dir/errors"
[ $? = 2 ] || fail "no portal is not told"
grep -q "no portal that asks for files" "$dir/errors" || fail "the reason is not told"
echo "passed"
