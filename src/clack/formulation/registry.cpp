#include <array>

#include "clack/error.hpp"
#include "clack/formulation/delassus.hpp"
#include "clack/formulation/projection.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

using Make = std::unique_ptr<Formulation> (*)();

template <class T>
std::unique_ptr<Formulation> make() {
  return std::make_unique<T>();
}

/// One line per formulation.
constexpr std::array<std::pair<std::string_view, Make>, 2> formulations = {{
    {"delassus", &make<DelassusFormulation>},
    {"projection", &make<ProjectionFormulation>},
}};

}  // namespace

std::unique_ptr<Formulation> make_formulation(std::string_view name) {
  std::string known;
  for (const auto& [known_name, make_it] : formulations) {
    if (known_name == name) return make_it();
    known += (known.empty() ? "" : ", ") + std::string(known_name);
  }
  throw InputError("unknown formulation " + std::string(name), "", "use one of: " + known);
}

std::vector<std::string_view> formulation_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, make_it] : formulations) names.push_back(name);
  return names;
}

}  // namespace clack
