// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "clack/contact/problem.hpp"
#include "clack/contact/validate.hpp"
#include "clack/parts/catalogue.hpp"

namespace clack {

/// One document for `clack impact`, `clack contact` and `clack project` (docs: the command line).
/// All its keys are accepted by all three; `unused` names the given ones that the question at hand
/// does not read, so that nothing is ignored silently.
struct ProblemDocument {
  ImpactProblem impact;                                // velocity, external_impulse, materials
  ContactProblem contact;                              // the same system with force and biases
  bool has_force = false;                              // key `force` is given
  bool has_restitution = false;                        // some contact gives `restitution`
  std::vector<std::string> contact_only, impact_only;  // given keys that only one question reads
  OptionValues options;                                // for the part that is asked
  std::vector<std::string> unread_options;             // where no part is asked, or passed over
};

/// Options of a document that every law and decision reads.
std::vector<Option> problem_options();

/// Who is asked: `part` reads its own options; one that only other parts of the catalogue read is
/// refused by naming them. nullptr: nobody is asked, and such options are listed.
struct Asked {
  const PartDescription* part = nullptr;
  PartCatalogue catalogue = {};
};

/// Reads and validates; every mistake (unknown or repeated key, wrong type or size, a number out of
/// its range) throws InputError naming the place in the document. `file` is only named in messages.
ProblemDocument read_problem(const nlohmann::json& document, const std::string& file,
                             const Asked& asked = {}, const ValidationLimits& limits = {});
ProblemDocument read_problem_file(const std::string& path, const Asked& asked = {},
                                  const ValidationLimits& limits = {});

/// A stage of an impact; its contacts are numbers among `names`.
nlohmann::ordered_json to_json(const ImpactEvent& event, const std::vector<std::string>& names);

/// The answers, as the command line prints them.
nlohmann::ordered_json to_json(const ImpactProblem& problem, std::string_view law,
                               const ImpactResult& result);
nlohmann::ordered_json to_json(const ContactProblem& problem, std::string_view decision,
                               const ContactResult& result);

}  // namespace clack
