// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "clack/contact/problem.hpp"
#include "clack/impact/law.hpp"
#include "clack/parts/option.hpp"

/// A question as a JSON document, asked and answered: what the command line prints and what the Python module gives.
namespace clack {

struct ImpactAnswer {
  ImpactProblem problem;
  ImpactResult result;
};
/// A document of `clack impact` by a law. `file` is named in messages. Throws InputError.
ImpactAnswer answer_impact(const nlohmann::json& document, const std::string& file,
                           std::string_view law);

struct ContactAnswer {
  ContactProblem problem;
  ContactResult result;
};
/// A document of `clack contact` by a decision.
ContactAnswer answer_contact(const nlohmann::json& document, const std::string& file,
                             std::string_view decision);

/// The laws of standard_parts, made once.
const ImpactLawRegistry& standard_impact_laws();
/// One valid problem, by name; says where several solutions exist.
ImpactResult resolve_impact(const ImpactProblem& problem, std::string_view law,
                            const OptionValues& options, const std::string& file);
ContactResult decide_contact(const ContactProblem& problem, std::string_view decision,
                             const OptionValues& options, const std::string& file);

/// Why there is no answer; throws NoAnswer. To be called when has_answer(status) is false.
[[noreturn]] void refuse_impact(const ImpactAnswer& answer, std::string_view law,
                                const std::string& file);
[[noreturn]] void refuse_contact(const ContactAnswer& answer, const std::string& file);

}  // namespace clack
