// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace clack {

/// The page of the laboratory with a model file in its editor.
std::string laboratory_page(const std::string& name, const std::string& text);

}  // namespace clack
