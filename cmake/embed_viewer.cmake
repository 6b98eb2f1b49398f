# SPDX-License-Identifier: Apache-2.0
# Writes OUT: one function per script of FOLDER (src/clack/report/viewer.hpp), the page that explains certificates and flags,
# and the packed bundle for space.
set(text "#include \"clack/report/viewer.hpp\"\n\nnamespace clack::report {\n")
foreach(name ${SCRIPTS})
  file(READ ${FOLDER}/${name}.js script)
  string(APPEND text "std::string_view ${name}_script() {\n  return R\"viewer(${script})viewer\";\n}\n")
endforeach()
file(READ ${PAGE} page)
string(APPEND text "std::string_view certificates_page() {\n  return R\"viewer(${page})viewer\";\n}\n")
file(READ ${SPACE} packed)
string(STRIP "${packed}" packed)
string(APPEND text "std::string_view space_code() {\n  return \"${packed}\";\n}\n}  // namespace clack::report\n")
file(WRITE ${OUT} "${text}")
