# Included by ctest: a test for each suite of PROGRAM, which runs in a process of its own. (For each single test a process would
# take more time to start than the test does; under the sanitizers most of it.) The environment may hold patterns of
# googletest, with colons between them: what is in WARPSPY_TESTS_LEFT_OUT is left out, and all but WARPSPY_TESTS_ONLY (but
# nothing of what has the label "release").
if(NOT EXISTS ${PROGRAM})
  if(NOT "$ENV{WARPSPY_TESTS_ONLY}" STREQUAL "")
    return()  # scripts/test asks whether what it wants is there
  endif()
  add_test(${NAME}_was_not_built ${PROGRAM})
  set_tests_properties(${NAME}_was_not_built PROPERTIES ${PROPERTIES})
  return()
endif()
# They begin first: begun last, one of them would keep a single processor busy for minutes. ctest knows by itself what took
# long the last time, but not in a new checkout.
set(long_suites All/Rules. Depths. EmulatedProducts/EveryKernel. EngineTest. Forms/Packed. Kernels/UnevenMatrices. Lessons.
  OtherMachine. PaperOrderings. Preparations. RandomSteps. RemoteEngine. SampleHints. Searches. Simulate. Sizes/EveryView. SolveBesideSciPy.
  UnderWay/EveryView. WarpTrace.)
set(filter "*")
if(NOT "$ENV{WARPSPY_TESTS_ONLY}" STREQUAL "" AND NOT PROPERTIES MATCHES "LABELS;release")
  set(filter "$ENV{WARPSPY_TESTS_ONLY}")
endif()
if(NOT "$ENV{WARPSPY_TESTS_LEFT_OUT}" STREQUAL "")
  string(APPEND filter "-$ENV{WARPSPY_TESTS_LEFT_OUT}")
endif()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests "--gtest_filter=${filter}" OUTPUT_VARIABLE list COMMAND_ERROR_IS_FATAL ANY)
# A suite's name begins a line, its tests are indented; brackets and semicolons of parameters would make lists of it.
string(REGEX REPLACE "[][;]" "_" list "${list}")
string(REGEX REPLACE "#[^\n]*" "" list "${list}")
string(REGEX MATCHALL "[^\n]+" lines "${list}")
set(suites)
foreach(line IN LISTS lines)
  string(STRIP "${line}" word)
  if(line MATCHES "^[^ ]")
    set(suite ${word})
    list(APPEND suites ${suite})
  else()
    string(APPEND tests_of_${suite} ":${suite}${word}")
  endif()
endforeach()
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "\\.$" "" name "${suite}")
  # All of a suite where nothing was chosen: a list of hundreds would be a long command.
  set(tests "${suite}*")
  if(NOT filter STREQUAL "*")
    string(SUBSTRING "${tests_of_${suite}}" 1 -1 tests)
  endif()
  add_test(${name} ${PROGRAM} "--gtest_filter=${tests}" --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 ${PROPERTIES})
  list(FIND long_suites ${suite} at)  # ctest's language knows no IN_LIST
  if(NOT at EQUAL -1)
    set_tests_properties(${name} PROPERTIES COST 1000)
  endif()
  unset(tests_of_${suite})
endforeach()
