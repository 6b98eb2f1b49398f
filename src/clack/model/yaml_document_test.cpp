// SPDX-License-Identifier: Apache-2.0
#include "clack/model/yaml_document.hpp"

#include <gtest/gtest.h>

#include "clack/error.hpp"

namespace clack::yaml {
namespace {

TEST(YamlDocument, KeepsOrderTextAndPlaces) {
  const Node root = parse("b: 1\na: [x, 'y z']\nc:\n  d: ~\n", "f");
  ASSERT_EQ(root.entries.size(), 3u);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[1].place.line, 2);
  EXPECT_EQ(root.entries[1].place.column, 1);
  const Node& list = *root.find("a");
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[1].text, "y z");
  EXPECT_TRUE(list.items[1].is_quoted);
  EXPECT_EQ(where("f", list.items[0]), "f:2:5");
  EXPECT_EQ(root.find("c")->find("d")->kind, Kind::null);
  EXPECT_EQ(root.find("missing"), nullptr);
}

TEST(YamlDocument, AliasesAreWrittenOutAndCounted) {
  const Node root = parse("a: &x {m: 1}\nb: *x\n", "f");
  EXPECT_EQ(root.find("b")->find("m")->text, "1");
  EXPECT_EQ(node_count(root), 5u);
  Limits limits;
  limits.nodes = 4;
  EXPECT_THROW(parse("a: &x {m: 1}\nb: *x\n", "f", limits), ModelError);
}

TEST(YamlDocument, DepthIsBounded) {
  Limits limits;
  limits.depth = 2;
  EXPECT_NO_THROW(parse("a: [1]", "f", limits));
  EXPECT_THROW(parse("a: [[1]]", "f", limits), ModelError);
}

TEST(YamlDocument, QuotesMayContainEscapedAndDoubledQuotes) {
  const Node root = parse("a: \"x\\\"y\"\nb: 'it''s'\nc: \"\\\\\"\n", "f");
  EXPECT_EQ(root.find("a")->text, "x\"y");
  EXPECT_EQ(root.find("b")->text, "it's");
  EXPECT_EQ(root.find("c")->text, "\\");
  EXPECT_THROW(parse("a: 'open", "f"), ModelError);
  EXPECT_THROW(parse("a: \"open\\\"", "f"), ModelError);
}

}  // namespace
}  // namespace clack::yaml
