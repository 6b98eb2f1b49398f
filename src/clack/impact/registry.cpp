#include "clack/error.hpp"
#include "clack/impact/law.hpp"
#include "clack/impact/newton.hpp"
#include "clack/impact/poisson.hpp"
#include "clack/impact/projection.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

template <class Law>
std::unique_ptr<ImpactLaw> make() {
  return std::make_unique<Law>();
}

struct Entry {
  std::string_view name;
  std::unique_ptr<ImpactLaw> (*make)();
};

// One line per law.
constexpr Entry entries[] = {
    {"newton", make<NewtonLaw>},
    {"poisson", make<PoissonLaw>},
    {"projection", make<ProjectionLaw>},
};

}  // namespace

std::vector<std::string_view> impact_law_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

std::unique_ptr<ImpactLaw> make_impact_law(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.make();
  const std::vector<std::string_view> known = impact_law_names();
  const std::string nearest = nearest_name(name, std::span<const std::string_view>(known));
  throw InputError(
      fmt::format("unknown impact law {}", name), "",
      nearest.empty() ? "known laws: " + list_names(known) : "did you mean " + nearest + "?");
}

}  // namespace clack
