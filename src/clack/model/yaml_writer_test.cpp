// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "clack/model/yaml_document.hpp"

namespace clack::yaml {
namespace {

void expect_same(const Node& a, const Node& b) {
  ASSERT_EQ(a.kind, b.kind) << a.text << " | " << b.text;
  EXPECT_EQ(a.text, b.text);
  ASSERT_EQ(a.items.size(), b.items.size());
  ASSERT_EQ(a.entries.size(), b.entries.size());
  for (std::size_t k = 0; k < a.items.size(); ++k) expect_same(a.items[k], b.items[k]);
  for (std::size_t k = 0; k < a.entries.size(); ++k) {
    EXPECT_EQ(a.entries[k].key, b.entries[k].key);
    expect_same(a.entries[k].value, b.entries[k].value);
  }
}

TEST(YamlWriter, WhatIsWrittenReadsBackTheSame) {
  const Node root = parse(
      "clack: 1\nname: 'a: b # c'\nnull_text: 'null'\nempty: ''\nnothing: ~\nlist: []\nmap: "
      "{}\nminus: '-'\n"
      "lines: |\n  one\n  two\nnegative: -1.5e-3\nformula: -(a + b)*c\nstar: '*x'\nquote: 'say "
      "\"hi\" \\ there'\n"
      "nested: [[1, [2, {a: b}]], {c: [d]}]\n'key: odd': 1\n'12': x\n",
      "f");
  expect_same(root, parse(to_yaml(root), "g"));
}

/// Random trees of random texts: the writer must quote whatever needs it.
Node random_tree(std::mt19937_64& random, int depth) {
  const std::string letters = "ab1 -:#'\"\\{}[],&*!|>%@`?.~\n+=^";
  const auto random_text = [&] {
    std::string text;
    for (auto length = random() % 6; length > 0; --length)
      text += letters[random() % letters.size()];
    return text;
  };
  Node node = text_node(random_text());
  if (depth == 0 || random() % 3 == 0) return node;
  node = {};
  node.kind = random() % 2 ? Kind::list : Kind::map;
  for (auto count = random() % 4; count > 0; --count) {
    if (node.kind == Kind::list)
      node.items.push_back(random_tree(random, depth - 1));
    else
      node.entries.push_back(
          {std::to_string(count) + random_text(), {}, random_tree(random, depth - 1)});
  }
  return node;
}

TEST(YamlWriter, AnyTreeReadsBackTheSame) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 500; ++k) {
    Node root;
    root.kind = Kind::map;
    root.entries.push_back({"top", {}, random_tree(random, 4)});
    expect_same(root, parse(to_yaml(root), "g"));
    if (HasFailure()) FAIL() << to_yaml(root);
  }
}

TEST(YamlWriter, NumbersReadBackToTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, -2.5e17, 123456789.123456789})
    EXPECT_EQ(std::stod(number_node(value).text), value);
}

}  // namespace
}  // namespace clack::yaml
