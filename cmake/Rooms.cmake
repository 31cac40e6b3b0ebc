# Where CMAKE_UNITY_BUILD is on (preset release), the sources of a folder are compiled as one or two: most of the compiler's work
# on each is the headers that all of them include. Without it (preset debug, scripts/check-sources) every source is compiled
# alone, and editing one costs one. A name that two sources of a folder have in their anonymous namespaces keeps one of them out
# (SEPARATE); so does a folder's name all of its sources.
# warpspy_unity(TARGET SEPARATE ...): names of SEPARATE, like the folders, are below the current folder.
function(warpspy_unity target)
  cmake_parse_arguments(UNITY "" "" "SEPARATE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(all ${target} SOURCES)
  set(folders)
  foreach(source IN LISTS all)
    if(NOT source MATCHES "^${CMAKE_CURRENT_SOURCE_DIR}/(.*)\\.cpp$")
      continue()
    endif()
    get_filename_component(folder ${CMAKE_MATCH_1} DIRECTORY)
    if("${CMAKE_MATCH_1}.cpp" IN_LIST UNITY_SEPARATE OR folder IN_LIST UNITY_SEPARATE)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "of_${folder}" group)
    list(APPEND folders ${group})
    list(APPEND ${group} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(group IN LISTS folders)
    list(LENGTH ${group} count)
    foreach(source IN LISTS ${group})
      get_filename_component(name ${source} NAME)
      if(count GREATER 12 AND name MATCHES "^[m-z]")  # two, so that they build side by side
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_2)
      else()
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
      endif()
    endforeach()
  endforeach()
endfunction()

# warpspy_room(NAME DEPENDS ... SEPARATE ... QUICK ...): a static library of every .cpp below the current folder. The folders
# QUICK are those in which no time goes by that anybody waits for: there quick to compile counts more than fast code.
function(warpspy_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;SEPARATE;QUICK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(quick_sources ${sources})
  list(JOIN ROOM_QUICK "|" quick)
  if(quick)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/(${quick})/")
    list(FILTER quick_sources INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/(${quick})/")
  endif()
  add_library(warpspy_${name} STATIC ${sources})
  target_link_libraries(warpspy_${name} PUBLIC warpspy_flags ${ROOM_DEPENDS})
  warpspy_unity(warpspy_${name} SEPARATE ${ROOM_SEPARATE})
  warpspy_headers(warpspy_${name})
  if(quick)
    add_library(warpspy_${name}_quick OBJECT ${quick_sources})
    target_link_libraries(warpspy_${name}_quick PUBLIC warpspy_flags ${ROOM_DEPENDS})
    warpspy_quick(warpspy_${name}_quick)
    warpspy_unity(warpspy_${name}_quick SEPARATE ${ROOM_SEPARATE})
    warpspy_headers(warpspy_${name}_quick)
    target_sources(warpspy_${name} PRIVATE $<TARGET_OBJECTS:warpspy_${name}_quick>)
  endif()
endfunction()

# warpspy_headers(TARGET [MORE...]): what most of its sources include is read once for all of them. With a compiler cache it is
# not done: the cache knows what has been compiled before in another checkout too, but not where it was read from such a file.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
function(warpspy_headers target)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <map>
    <memory> <mutex> <optional> <set> <span> <sstream> <string> <variant> <vector> <nlohmann/json.hpp> ${ARGN})
endfunction()

# warpspy_quick(TARGET): little is optimised, and nothing under the sanitizers.
function(warpspy_quick target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:$<IF:$<BOOL:${WARPSPY_SANITIZE}>,-O0,$<$<CONFIG:Release>:-O1>>>)
endfunction()
