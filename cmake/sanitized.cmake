# SPDX-License-Identifier: Apache-2.0
# The doors once more, with their tests, under the address and undefined-behaviour sanitizers and with all assertions: what
# other programs call, imported files, steering, checkpoints. The rooms behind are those of this build, so that it costs a
# minute; scripts/build check has all of them.
if(CLACK_TESTS AND NOT CLACK_ASAN AND NOT CLACK_TSAN)
  file(GLOB sources CONFIGURE_DEPENDS src/clack/library/*.cpp src/clack/robot/*.cpp)
  add_executable(sanitized_test ${sources} src/clack/hybrid/simulation_test.cpp)
  target_precompile_headers(sanitized_test PRIVATE ${CLACK_TEST_PCH})
  target_compile_options(sanitized_test PRIVATE -O1 -g1 -UNDEBUG ${CLACK_SANITIZERS})
  target_link_options(sanitized_test PRIVATE -fsanitize=address,undefined)
  target_compile_definitions(sanitized_test PRIVATE EIGEN_MALLOC_ALREADY_ALIGNED=1 CLACK_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(sanitized_test PRIVATE clack_hybrid clack_report PkgConfig::URDF PkgConfig::TINYXML2 GTest::gtest_main)
  add_test(NAME doors_under_sanitizers COMMAND sanitized_test WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
  set_tests_properties(doors_under_sanitizers PROPERTIES TIMEOUT 300)
endif()
