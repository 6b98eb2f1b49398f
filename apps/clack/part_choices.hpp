// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cctype>
#include <string>

#include "clack/parts/tables.hpp"

namespace clack::command {

/// What can be chosen, with needs and options, from what the parts say of themselves.
inline std::string choices_text(const PartCatalogue& catalogue) {
  std::string text = "Theories (formulation, decision, impact law):\n" + theory_list(catalogue);
  for (const PartKind kind :
       {PartKind::formulation, PartKind::decision, PartKind::impact_law, PartKind::integrator}) {
    std::string title(to_string(kind));
    title[0] = static_cast<char>(std::toupper(title[0]));
    text += title + "s:\n" + part_list(catalogue, kind);
  }
  return text +
         "Options stand in the model where the brackets say; --set policies.KEY=VALUE sets one.\n";
}

}  // namespace clack::command
