// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

std::uint64_t hash_of(const Node& node) {
  std::uint64_t h = static_cast<std::uint64_t>(node.op) + 0x9e3779b97f4a7c15ull;
  for (NodeIndex operand : node.operand) {
    h = (h ^ operand) * 0xff51afd7ed558ccdull;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

Graph::Graph() : storage_(std::make_unique<Storage>()) {}
Graph::~Graph() = default;

Graph::Graph(const Graph& other) : Graph() {
  storage_->nodes = other.storage_->nodes;
  storage_->names = other.storage_->names;
  storage_->symbols = other.storage_->symbols;
  storage_->table = other.storage_->table;
}

void Graph::seal() { storage_->is_sealed = true; }
bool Graph::is_sealed() const { return storage_->is_sealed; }

Expression Graph::same(Expression original) {
  if (!original.is_valid()) return {};
  if (original.node() >= size())
    throw std::invalid_argument("the formula is younger than the copy of its graph");
  return {this, original.node()};
}

Expression Graph::number(double value) { return {this, storage_->number(value)}; }
Expression Graph::symbol(std::string_view name) { return {this, storage_->symbol(name)}; }
std::size_t Graph::size() const { return storage_->nodes.size(); }

NodeIndex Graph::Storage::intern(const Node& node) {
  if (!is_sealed && 2 * (nodes.size() + 1) > table.size()) grow_table();
  const std::size_t mask = table.size() - 1;
  for (std::size_t at = hash_of(node) & mask;; at = (at + 1) & mask) {
    if (table[at] == 0) {
      if (is_sealed) throw std::logic_error("a sealed expression graph takes no new formula");
      if (nodes.size() >= 0xfffffff0u) throw std::length_error("expression graph is full");
      nodes.push_back(node);
      table[at] = static_cast<NodeIndex>(nodes.size());
      return table[at] - 1;
    }
    if (nodes[table[at] - 1] == node) return table[at] - 1;
  }
}

void Graph::Storage::grow_table() {
  table.assign(std::max<std::size_t>(64, 2 * table.size()), 0);
  const std::size_t mask = table.size() - 1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::size_t at = hash_of(nodes[i]) & mask;
    while (table[at] != 0) at = (at + 1) & mask;
    table[at] = static_cast<NodeIndex>(i + 1);
  }
}

NodeIndex Graph::Storage::number(double value) {
  if (value == 0.0) value = 0.0;  // one zero: -0 and 0 are the same number
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return intern({Op::number,
                 {static_cast<NodeIndex>(bits), static_cast<NodeIndex>(bits >> 32), NodeIndex{0}}});
}

NodeIndex Graph::Storage::symbol(std::string_view name) {
  std::string key(name);
  if (const auto found = symbols.find(key); found != symbols.end()) return found->second;
  if (is_sealed) throw std::logic_error("a sealed expression graph takes no new symbol " + key);
  const NodeIndex node = intern({Op::symbol, {static_cast<NodeIndex>(names.size()), 0, 0}});
  names.push_back(key);
  symbols.emplace(std::move(key), node);
  return node;
}

Walk::Walk(Graph::Storage& storage, std::span<const NodeIndex> roots)
    : marks_(storage.is_sealed ? own_ : storage.marks) {
  marks_.stamp_of.resize(storage.nodes.size(), 0);
  marks_.place_of.resize(storage.nodes.size(), 0);
  if (++marks_.stamp == 0) {  // the counter went round: forget old stamps
    std::fill(marks_.stamp_of.begin(), marks_.stamp_of.end(), 0);
    marks_.stamp = 1;
  }
  for (NodeIndex root : roots)
    if (!has_reached(root)) follow(storage.nodes, root);
}

/// Without recursion: formulas may be a million levels deep.
void Walk::follow(const std::vector<Node>& nodes, NodeIndex root) {
  struct Visit {
    NodeIndex node;
    int next;
  };
  std::vector<Visit> stack{{root, 0}};
  marks_.stamp_of[root] = marks_.stamp;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < operand_count(nodes[node].op)) {
      const NodeIndex child = nodes[node].operand[next++];
      if (marks_.stamp_of[child] != marks_.stamp) {
        marks_.stamp_of[child] = marks_.stamp;
        stack.push_back({child, 0});
      }
      continue;
    }
    marks_.place_of[node] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(node);
    stack.pop_back();
  }
}

Graph::Storage& storage_of(Expression e) {
  if (!e.is_valid()) throw std::invalid_argument("an empty Expression was used in a formula");
  return e.graph()->storage();
}

Graph::Storage& storage_of(Expression a, Expression b) {
  storage_of(b);
  if (a.graph() != b.graph())
    throw std::invalid_argument("formulas of two different graphs cannot be combined");
  return storage_of(a);
}

bool is_number(Expression e) { return storage_of(e).is_number(e.node()); }

std::optional<double> number_value(Expression e) {
  const auto& s = storage_of(e);
  if (!s.is_number(e.node())) return std::nullopt;
  return s.value(e.node());
}

bool is_symbol(Expression e) { return storage_of(e).nodes[e.node()].op == Op::symbol; }

std::string symbol_name(Expression e) {
  const auto& s = storage_of(e);
  if (!is_symbol(e)) throw std::invalid_argument("symbol_name of a formula that is no symbol");
  return s.names[s.nodes[e.node()].operand[0]];
}

bool depends_on(Expression e, Expression symbol) {
  auto& s = storage_of(e, symbol);
  const NodeIndex root = e.node();
  return Walk(s, {&root, 1}).has_reached(symbol.node());
}

std::vector<Expression> symbols_of(Expression e) {
  auto& s = storage_of(e);
  const NodeIndex root = e.node();
  std::vector<NodeIndex> found;
  const Walk walk(s, {&root, 1});
  for (NodeIndex n : walk.order())
    if (s.nodes[n].op == Op::symbol) found.push_back(n);
  std::sort(found.begin(), found.end());
  std::vector<Expression> result;
  for (NodeIndex n : found) result.emplace_back(e.graph(), n);
  return result;
}

std::size_t operation_count(std::span<const Expression> outputs) {
  if (outputs.empty()) return 0;
  auto& s = storage_of(outputs.front());
  std::vector<NodeIndex> roots;
  for (Expression e : outputs) {
    storage_of(outputs.front(), e);
    roots.push_back(e.node());
  }
  std::size_t count = 0;
  const Walk walk(s, roots);
  for (NodeIndex n : walk.order()) count += operand_count(s.nodes[n].op) > 0;
  return count;
}

}  // namespace clack::symbolic
