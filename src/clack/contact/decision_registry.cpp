#include "clack/contact/active_set_decision.hpp"
#include "clack/contact/decision.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/lcp_decision.hpp"
#include "clack/contact/prox_decision.hpp"
#include "clack/error.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

template <class Choice>
std::unique_ptr<Decision> make() {
  return std::make_unique<Choice>();
}

struct Entry {
  std::string_view name;
  std::unique_ptr<Decision> (*make)();
};

// One line per decision.
constexpr Entry entries[] = {
    {"lcp", make<LcpDecision>},
    {"prox", make<ProxDecision>},
    {"enumeration", make<EnumerationDecision>},
    {"active-set", make<ActiveSetDecision>},
};

}  // namespace

std::vector<std::string_view> decision_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::unique_ptr<Decision> make_decision(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.make();
  const std::vector<std::string_view> known = decision_names();
  const std::string nearest = nearest_name(name, std::span<const std::string_view>(known));
  throw InputError(
      fmt::format("unknown decision {}", name), "",
      nearest.empty() ? "known decisions: " + list_names(known) : "did you mean " + nearest + "?");
}

}  // namespace clack
