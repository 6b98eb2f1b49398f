// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The version of these headers; CMakeLists.txt reads it from here.
#define CLACK_VERSION "0.1.0"

namespace clack {

/// The version of the library that runs: differs from CLACK_VERSION when headers and library come from two installations.
const char* version();

}  // namespace clack
