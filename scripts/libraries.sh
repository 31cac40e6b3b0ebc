# Shared by bundle and gpu-check: takes along the libraries of programs, so that they run on another machine.
#
#   lib/           what only Warpspy uses
#   lib/fallback/  what the machine's OpenGL driver uses too (X11, zlib, the C++ runtime ...): the machine's own go first,
#                  since its driver may need newer ones and no program can hold two of a name. These serve where it has none.
#
# Never taken along: the C library and its dynamic linker, OpenGL, and anything of NVIDIA's driver.

never='/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|GL|GLX|GLdispatch|OpenGL|EGL|GLES[^/]*|cuda|nvidia[^/]*))\.so'
of_system=/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/lib64:/usr/lib:/lib

# The paths of all libraries that the files need.
needed_by() { [ $# = 0 ] || ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u; }

# What GLFW loads by name where it is there, and what that needs.
loaded_by_glfw() {
  local glfw found
  glfw=$(needed_by "$@" | grep /libglfw) || return 0
  found=$(grep -aoE 'lib(X[A-Za-z0-9-]+|xkbcommon[a-z0-9-]*|wayland-[a-z]+)\.so\.[0-9]+' "$glfw" | sort -u | while read -r name; do
    ldconfig -p | awk -v name="$name" '!found && $1 == name && /x86-64/ { print $NF; found = 1 }'
  done)
  # shellcheck disable=SC2086
  printf '%s\n' $found $(needed_by $found)
}

# What drivers of OpenGL load: Mesa's, here.
loaded_by_drivers() {
  # shellcheck disable=SC2046
  needed_by $(ls /usr/lib/x86_64-linux-gnu/{dri/swrast_dri.so,libgallium-*.so,libGLX_mesa.so.0,libEGL_mesa.so.0,libGL.so.1} 2>/dev/null)
}

# take_libraries DIR PROGRAM...: fills DIR/lib and tells the programs, which lie below DIR, to look there.
take_libraries() {
  local dir=$1 shared library program up
  shift
  command -v patchelf >/dev/null || die "A bundle needs patchelf: apt-get install patchelf."
  mkdir -p "$dir/lib/fallback"
  shared=" $({ loaded_by_drivers; loaded_by_glfw "$@"; } | sed 's|.*/||' | tr '\n' ' ') libstdc++.so.6 libgcc_s.so.1 "
  { needed_by "$@"; loaded_by_glfw "$@"; } | sort -u | grep -vE "$never" | while read -r library; do
    case $shared in
      *" ${library##*/} "*) cp -L "$library" "$dir/lib/fallback/" ;;
      *) cp -L "$library" "$dir/lib/" ;;
    esac
  done
  for program; do
    up='$ORIGIN'/$(realpath --relative-to="$(dirname "$program")" "$dir/lib")
    # The old kind of path: the libraries' own libraries are looked for there too.
    patchelf --force-rpath --set-rpath "$up:$of_system:$up/fallback" "$program"
  done
}

# The oldest C library that the files run with.
newest_glibc() { objdump -T "$@" 2>/dev/null | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV | tail -1 | sed 's/GLIBC_//'; }

# The licences of the libraries, from the packages that they came in.
take_licences() {
  local dir=$1 to=$2 library package
  mkdir -p "$to"
  find "$dir/lib" -name '*.so*' | sed 's|.*/||' | while read -r library; do
    library=$(ldconfig -p | awk -v name="$library" '!found && $1 == name && /x86-64/ { print $NF; found = 1 }')
    # Packages know a file by its own name, or by its name before /lib became a link.
    package=$( (dpkg-query -S "$library" "$(readlink -f "$library")" "${library#/usr}" 2>/dev/null || true) | awk -F: 'NR == 1 { print $1 }')
    [ -e "/usr/share/doc/$package/copyright" ] || { say "The licence of $library was not found."; continue; }
    cp -L "/usr/share/doc/$package/copyright" "$to/$package"
  done
}
