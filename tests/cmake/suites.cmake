# Included by ctest: a test for each suite of PROGRAM, which runs in a process of its own. (For each single test a process would
# take more time to start than the test does; under the sanitizers most of it.) Patterns of googletest that stand in the
# environment's WARPSPY_TESTS_LEFT_OUT, with colons between them, are left out.
if(NOT EXISTS ${PROGRAM})
  add_test(${NAME}_was_not_built ${PROGRAM})
  return()
endif()
set(without)
if(NOT "$ENV{WARPSPY_TESTS_LEFT_OUT}" STREQUAL "")
  set(without "-$ENV{WARPSPY_TESTS_LEFT_OUT}")
endif()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests "--gtest_filter=*${without}" OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
# A suite's name begins a line, its tests are indented; brackets and semicolons of parameters would make lists of it.
string(REGEX REPLACE "[][;]" "_" list "${list}")
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${list}")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  add_test(${name} ${PROGRAM} "--gtest_filter=${suite}*${without}" --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ${PROPERTIES})
endforeach()
