// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/document_tables.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace clack {
namespace {

std::string documents() {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CLACK_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md") {
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      all += text.str();
    }
  return all;
}

TEST(DocumentTables, TheDocumentsHoldWhatThePartsSayOfThemselves) {
  const std::string pages = documents();
  for (const DocumentTable& table : document_tables(standard_parts()))
    EXPECT_NE(
        pages.find("<!-- table " + table.name + " -->\n" + table.text + "<!-- end of table -->\n"),
        std::string::npos)
        << "scripts/docs_tables writes this table into its page:\n"
        << table.name << "\n"
        << table.text;
}

TEST(DocumentTables, EveryPartAndEveryOptionAppears) {
  std::string all;
  for (const DocumentTable& table : document_tables(standard_parts())) all += table.text;
  for (const PartDescription& part : catalogue_of(standard_parts()).parts) {
    EXPECT_NE(all.find("| `" + std::string(part.name) + "` |"), std::string::npos) << part.name;
    for (const Option& option : part.options)
      EXPECT_NE(all.find("| `" + std::string(option.key_in_model()) + "` |"), std::string::npos)
          << option.key;
  }
}

}  // namespace
}  // namespace clack
