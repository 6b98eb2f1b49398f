# SPDX-License-Identifier: Apache-2.0
# The library for other programs: one shared object of all rooms that clack.hpp shows, its headers and a package file.
#   cmake --install build/release --prefix PREFIX      then  find_package(clack)  and  clack::clack
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(shown linalg symbolic complementarity geometry parts integrate model mechanism contact formulation impact energy trace hybrid
    report library)
set(archives "")
foreach(room ${shown})
  list(APPEND archives $<TARGET_FILE:clack_${room}>)
endforeach()
list(APPEND archives $<TARGET_FILE:clack_module>)
list(JOIN archives "," archives)
add_library(clack_shared SHARED src/clack/library/shared_stderr.c)
target_link_options(clack_shared PRIVATE -Wl,--wrap=stderr -Wl,--no-undefined)
list(TRANSFORM shown PREPEND clack_ OUTPUT_VARIABLE shown_targets)
add_dependencies(clack_shared ${shown_targets} clack_modules)
target_link_libraries(clack_shared PRIVATE "-Wl,--whole-archive,${archives},--no-whole-archive" ${shown_targets})
target_include_directories(clack_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>
                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(clack_shared INTERFACE cxx_std_20)
target_link_libraries(clack_shared INTERFACE Eigen3::Eigen)
# Matrices are made on one side and freed on the other: whoever compiles with AVX or a sanitizer takes memory as the library does.
target_compile_definitions(clack_shared INTERFACE EIGEN_MAX_ALIGN_BYTES=16 EIGEN_MALLOC_ALREADY_ALIGNED=1)
set_target_properties(clack_shared PROPERTIES OUTPUT_NAME clack EXPORT_NAME clack VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# clack.hpp and everything that it includes, directly or not; none of it needs more than the standard library and Eigen.
function(clack_closure header found)
  list(APPEND ${found} ${header})
  file(STRINGS ${CMAKE_SOURCE_DIR}/src/${header} lines REGEX "^#include \"clack/")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" next ${line})
    if(NOT next IN_LIST ${found})
      clack_closure(${next} ${found})
    endif()
  endforeach()
  set(${found} ${${found}} PARENT_SCOPE)
endfunction()
set(headers "")
clack_closure(clack/clack.hpp headers)
foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/clack)
install(TARGETS clack_shared EXPORT clackTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS clack_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CLACK_MODULES}/ DESTINATION lib/clack/modules FILES_MATCHING PATTERN "*.so")
install(EXPORT clackTargets NAMESPACE clack:: DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/clackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(WRITE ${CMAKE_BINARY_DIR}/clackConfig.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(Eigen3 3.4)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/clackTargets.cmake)\n")
install(FILES ${CMAKE_BINARY_DIR}/clackConfig.cmake ${CMAKE_BINARY_DIR}/clackConfigVersion.cmake
        DESTINATION ${package_folder})
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/clack)
if(CLACK_TESTS)
  add_test(NAME installed COMMAND ${CMAKE_SOURCE_DIR}/scripts/installed_test ${CMAKE_BINARY_DIR})
  set_tests_properties(installed PROPERTIES TIMEOUT 1500)
endif()
