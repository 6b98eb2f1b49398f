// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/active_set_decision.hpp"
#include "clack/contact/decision.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/lcp_decision.hpp"
#include "clack/contact/prox_decision.hpp"

namespace clack {

// One line per decision.
DecisionRegistry decisions() {
  return {PartKind::decision,
          {
              LcpDecision::part(),
              ProxDecision::part(),
              EnumerationDecision::part(),
              ActiveSetDecision::part(),
          }};
}

std::vector<std::string_view> decision_names() { return decisions().names(); }

std::unique_ptr<Decision> make_decision(std::string_view name, const OptionValues& options) {
  return decisions().make(name, options);
}

}  // namespace clack
