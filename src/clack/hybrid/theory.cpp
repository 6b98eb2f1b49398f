#include "clack/hybrid/theory.hpp"

#include <array>

#include "clack/error.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

struct Preset {
  std::string_view name, formulation, decision, impact;
};

// One line per theory.
constexpr std::array presets = {
    Preset{"newton", "delassus", "prox", "newton"},
    Preset{"poisson", "delassus", "lcp", "poisson"},
    Preset{"projection", "projection", "active-set", "projection"},
};

}  // namespace

Theory choose_theory(const RunSettings& settings, int /*dimension*/) {
  std::vector<std::string_view> known;
  for (const Preset& preset : presets) {
    known.push_back(preset.name);
    if (preset.name != settings.theory) continue;
    const auto pick = [](const std::string& given, std::string_view own) {
      return given.empty() ? std::string(own) : given;
    };
    return {settings.theory, pick(settings.formulation, preset.formulation),
            pick(settings.decision, preset.decision), pick(settings.impact, preset.impact)};
  }
  const std::string nearest =
      nearest_name(settings.theory, std::span<const std::string_view>(known));
  throw InputError(
      "unknown theory " + settings.theory, "",
      nearest.empty() ? "known theories: " + list_names(known) : "did you mean " + nearest + "?");
}

}  // namespace clack
