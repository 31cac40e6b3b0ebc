# What warpspy --version tells, given to app/version.cpp alone: nothing else is compiled again when it changes.
set(commit_header ${CMAKE_CURRENT_BINARY_DIR}/generated/app/commit.hpp)
# Git's log of HEAD grows with every commit, checkout and rebase: the header is written again then, and only then.
set(commit_log)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
    OUTPUT_VARIABLE commit_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${commit_log}")
    set(commit_log)
  endif()
endif()
add_custom_command(OUTPUT ${commit_header}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${commit_header} -P ${PROJECT_SOURCE_DIR}/cmake/Commit.cmake
  DEPENDS ${commit_log} ${PROJECT_SOURCE_DIR}/cmake/Commit.cmake
  COMMENT "Commit" VERBATIM)

string(REPLACE GNU GCC compilers "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(WARPSPY_HAVE_CUDA)
  string(APPEND compilers ", nvcc ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
set(libraries)
foreach(library CAIRO_cairo:Cairo CURL:curl MATIO:matio SQLITE:SQLite IMGUI:ImGui GLFW:GLFW)
  string(REPLACE ":" ";" library ${library})
  list(GET library 0 key)
  list(GET library 1 name)
  if(${key}_VERSION)
    list(APPEND libraries "${name} ${${key}_VERSION}")
  endif()
endforeach()
list(JOIN libraries ", " libraries)

target_sources(warpspy PRIVATE ${commit_header})
set_source_files_properties(version.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/generated
  COMPILE_DEFINITIONS "WARPSPY_VERSION=\"${PROJECT_VERSION}\";WARPSPY_COMPILERS=\"${compilers}\";WARPSPY_LIBRARIES=\"${libraries}\"")
