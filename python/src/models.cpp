// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bindings.hpp"
#include "clack/model/settings.hpp"

namespace clack::python {
namespace {

SharedModel made(Recipe recipe) {
  const py::gil_scoped_release unlocked;
  Model model = recipe.path   ? load_model(*recipe.path, recipe.settings)
                : recipe.text ? load_model_text(*recipe.text, recipe.name, recipe.settings)
                              : build_model(*recipe.data, recipe.name, recipe.settings);
  auto shared = std::make_shared<const Model>(std::move(model));
  return {std::move(recipe), std::move(shared)};
}

std::vector<Override> overrides_from(
    const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<Override> overrides;
  for (const auto& [name, formula] : settings) overrides.push_back({name, formula});
  return overrides;
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

/// "until" is run.until, "painleve" policies.painleve; anything else is a parameter or a start value.
std::string full_name(const std::string& key) {
  static const PartCatalogue catalogue = catalogue_of(standard_parts());
  for (const char* section : {"run", "policies"}) {
    const std::vector<std::string> keys = section_keys(section, catalogue);
    if (std::ranges::find(keys, key) != keys.end()) return std::string(section) + "." + key;
  }
  return key;
}

}  // namespace

// A name a line.
// clang-format off
void add_models(py::module_& module) {
  using Settings = std::vector<std::pair<std::string, std::string>>;
  module.def("full_name", &full_name);
  py::class_<SharedModel>(module, "Model")
      .def_static("load", [](const std::string& path, const Settings& settings) {
        return made({.path = path, .text = {}, .data = {}, .name = path, .settings = overrides_from(settings)});
      })
      .def_static("from_text", [](const std::string& text, const std::string& name, const Settings& settings) {
        return made({.path = {}, .text = text, .data = {}, .name = name, .settings = overrides_from(settings)});
      })
      .def_static("from_data", [](const py::dict& data, const std::string& name, const Settings& settings) {
        return made({.path = {}, .text = {}, .data = data_from(data, ""), .name = name,
                     .settings = overrides_from(settings)});
      })
      .def("with_settings", [](const SharedModel& self, const Settings& settings) {
        Recipe recipe = self.recipe;
        for (Override& override : overrides_from(settings)) {
          std::erase_if(recipe.settings, [&](const Override& o) { return o.name == override.name; });
          recipe.settings.push_back(std::move(override));
        }
        return made(std::move(recipe));
      })
      .def_property_readonly("name", [](const SharedModel& self) { return self.model->name; })
      .def_property_readonly("file", [](const SharedModel& self) { return self.model->file; })
      .def_property_readonly("about", [](const SharedModel& self) { return self.model->about; })
      .def_property_readonly("dimension", [](const SharedModel& self) { return self.model->dimension; })
      .def_property_readonly("until", [](const SharedModel& self) { return self.model->run.until; })
      .def_property_readonly("yaml", [](const SharedModel& self) { return self.model->resolved_yaml; })
      .def_property_readonly("notes", [](const SharedModel& self) { return self.model->notes; })
      .def_property_readonly("parameters", [](const SharedModel& self) {
        py::dict values;
        for (const Parameter& parameter : self.model->parameters) values[py::str(parameter.name)] = parameter.value;
        return values;
      })
      .def_property_readonly("coordinates", [](const SharedModel& self) { return names_of(self.model->coordinates); })
      .def_property_readonly("speeds", [](const SharedModel& self) { return names_of(self.model->speeds); })
      .def_property_readonly("bodies", [](const SharedModel& self) { return names_of(self.model->bodies); })
      .def_property_readonly("contacts", [](const SharedModel& self) { return names_of(self.model->contacts); })
      .def_property_readonly("constraints", [](const SharedModel& self) { return names_of(self.model->constraints); })
      .def_property_readonly("inputs", [](const SharedModel& self) { return names_of(self.model->inputs); });
}
// clang-format on

}  // namespace clack::python
