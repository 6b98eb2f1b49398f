# SPDX-License-Identifier: Apache-2.0
# The scripts of the pages (viewer/*.js) as text inside the room report. What draws in space is bundled with three.js by
# scripts/bundle_viewer; without npm it stays empty, and pages of motions in space say so.
set(viewer_folder ${CMAKE_SOURCE_DIR}/viewer)
set(viewer_scripts time tables plots animation laboratory)
list(TRANSFORM viewer_scripts REPLACE "(.+)" "${viewer_folder}/\\1.js" OUTPUT_VARIABLE viewer_files)
set(viewer_page ${CMAKE_SOURCE_DIR}/docs/energy-and-certificates.md)
set(viewer_space ${CMAKE_BINARY_DIR}/viewer/space.txt)
set(viewer_source ${CMAKE_BINARY_DIR}/viewer/scripts.cpp)
add_custom_command(
  OUTPUT ${viewer_space}
  COMMAND ${CMAKE_SOURCE_DIR}/scripts/bundle_viewer ${viewer_space}
  DEPENDS ${viewer_folder}/space.js ${viewer_folder}/package.json ${viewer_folder}/package-lock.json
          ${CMAKE_SOURCE_DIR}/scripts/bundle_viewer
  COMMENT "Bundling what draws in space")
add_custom_command(
  OUTPUT ${viewer_source}
  COMMAND ${CMAKE_COMMAND} "-DOUT=${viewer_source}" "-DFOLDER=${viewer_folder}" "-DSCRIPTS=${viewer_scripts}"
          "-DPAGE=${viewer_page}" "-DSPACE=${viewer_space}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_viewer.cmake
  DEPENDS ${viewer_files} ${viewer_page} ${viewer_space} ${CMAKE_SOURCE_DIR}/cmake/embed_viewer.cmake
  COMMENT "Embedding the scripts of the pages"
  VERBATIM)
target_sources(clack_report PRIVATE ${viewer_source})
set_source_files_properties(${viewer_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
