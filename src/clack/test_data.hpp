// SPDX-License-Identifier: Apache-2.0
// Problem files for tests. Those made for Clack are in acceptance/data/lcp and friction; those of the field lie beside the
// repository (../shared/data), where continuous integration has them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace clack::testing {

inline const std::string own_data = CLACK_SOURCE_DIR "/acceptance/data/";
inline const std::string field_data = CLACK_SOURCE_DIR "/../shared/data/";

inline bool has_field_data() { return std::filesystem::exists(field_data); }

/// Where a file such as "lcp/own-one.json" is.
inline std::string problem_file(const std::string& name) {
  return std::filesystem::exists(own_data + name) ? own_data + name : field_data + name;
}

/// All files of a kind ("lcp", "friction") that are here, each once, by name.
inline std::vector<std::filesystem::path> problem_files(const std::string& kind) {
  std::vector<std::filesystem::path> files;
  for (const std::string& folder : {own_data + kind, field_data + kind}) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (std::none_of(files.begin(), files.end(), [&](const std::filesystem::path& known) {
            return known.filename() == entry.path().filename();
          }))
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return files;
}

}  // namespace clack::testing
