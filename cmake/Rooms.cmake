# warpspy_room(NAME DEPENDS ...): a static library of every .cpp below the current folder.
function(warpspy_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  add_library(warpspy_${name} STATIC ${sources})
  target_link_libraries(warpspy_${name} PUBLIC warpspy_flags ${ROOM_DEPENDS})
endfunction()
