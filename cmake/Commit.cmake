# Writes OUTPUT, a header that tells the commit of SOURCE. Run while building: cmake -DSOURCE=... -DOUTPUT=... -P Commit.cmake
set(commit unknown)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --show-toplevel
    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # A release's sources may lie within somebody else's repository, whose commit says nothing.
  file(REAL_PATH "${SOURCE}" source)
  if(top STREQUAL source)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE} rev-parse --short=12 HEAD
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(WRITE ${OUTPUT} "#define WARPSPY_COMMIT \"${commit}\"\n")
