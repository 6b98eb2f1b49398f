# SPDX-License-Identifier: Apache-2.0
# clack_room(NAME [NEEDS room...] [LINK library...])
#
# A room is a folder src/clack/NAME: every *.cpp in it that is not a test becomes the library clack_NAME, every *_test.cpp
# becomes part of the test program NAME_test. Adding a file to a folder is enough; no list is kept anywhere.
set(CLACK_PCH ${CMAKE_CURRENT_SOURCE_DIR}/cmake/precompiled.hpp)
set(CLACK_TEST_PCH ${CMAKE_CURRENT_SOURCE_DIR}/cmake/precompiled_test.hpp)

# One precompiled header for all rooms and one for all tests.
file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")
add_library(clack_pch STATIC ${CMAKE_BINARY_DIR}/empty.cpp)
target_include_directories(clack_pch PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(clack_pch PUBLIC Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json)
target_precompile_headers(clack_pch PRIVATE ${CLACK_PCH})

if(CLACK_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_library(clack_test_pch STATIC ${CMAKE_BINARY_DIR}/empty.cpp)
  target_link_libraries(clack_test_pch PUBLIC clack_pch GTest::gtest_main rapidcheck)
  target_precompile_headers(clack_test_pch PRIVATE ${CLACK_TEST_PCH})
endif()

# Sources are compiled in batches: template-heavy headers are then instantiated once per batch, which halves the build.
# Files that ask the compiler for more effort stay alone, so that this does not spread to their neighbours.
option(CLACK_BATCHES "compile sources in batches" ON)
function(clack_batches target size)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(STRINGS ${source} asks_for_effort REGEX "pragma GCC optimize" LIMIT_COUNT 1)
    if(asks_for_effort)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  # In a batch every file is an included one, about which the compiler then warns.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CLACK_BATCHES} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# clack_test(NAME SOURCES ... LINK ...): a GoogleTest program whose cases ctest sees one by one.
function(clack_test name)
  if(NOT CLACK_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} clack_test_pch)
  target_precompile_headers(${name} REUSE_FROM clack_test_pch)
  clack_batches(${name} 8)
  target_compile_definitions(${name} PRIVATE CLACK_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                             CLACK_PROGRAM="${CMAKE_BINARY_DIR}/apps/clack/clack")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_BINARY_DIR} PROPERTIES TIMEOUT 300)
endfunction()

# clack_module(ROOM NAME LINK library... [INCLUDE folder...]): src/clack/ROOM/NAME_module.cpp as a shared object of its own
# that is loaded when it is first used (src/clack/module.hpp). Programs and tests that may use it depend on clack_modules.
set(CLACK_MODULES ${CMAKE_BINARY_DIR}/modules)
add_custom_target(clack_modules)
add_library(clack_module STATIC src/clack/module.cpp)
target_link_libraries(clack_module PUBLIC clack_pch ${CMAKE_DL_LIBS})
target_compile_definitions(clack_module PRIVATE CLACK_MODULES="${CLACK_MODULES}")
function(clack_module room name)
  cmake_parse_arguments(arg "" "" "LINK;INCLUDE;DEFINE" ${ARGN})
  add_library(clack_${name}_module MODULE src/clack/${room}/${name}_module.cpp)
  target_link_libraries(clack_${name}_module PRIVATE clack_${room} ${arg_LINK})
  target_include_directories(clack_${name}_module SYSTEM PRIVATE ${arg_INCLUDE})
  target_compile_definitions(clack_${name}_module PRIVATE ${arg_DEFINE})
  set_target_properties(clack_${name}_module PROPERTIES PREFIX "" OUTPUT_NAME ${name}_module
                        LIBRARY_OUTPUT_DIRECTORY ${CLACK_MODULES})
  add_dependencies(clack_modules clack_${name}_module)
  if(TARGET ${room}_test)
    add_dependencies(${room}_test clack_${name}_module)
  endif()
endfunction()

function(clack_room name)
  cmake_parse_arguments(arg "" "" "NEEDS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/clack/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|module)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM arg_NEEDS PREPEND clack_)
  if(NOT sources)
    set(sources ${CMAKE_BINARY_DIR}/empty.cpp)
  endif()
  add_library(clack_${name} STATIC ${sources})
  target_link_libraries(clack_${name} PUBLIC ${arg_NEEDS} clack_pch clack_module ${arg_LINK})
  target_precompile_headers(clack_${name} REUSE_FROM clack_pch)
  clack_batches(clack_${name} 12)
  if(tests)
    clack_test(${name}_test SOURCES ${tests} LINK clack_${name})
  endif()
endfunction()
