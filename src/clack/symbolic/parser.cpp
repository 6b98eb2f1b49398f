// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "clack/symbolic/lexer.hpp"
#include "clack/symbolic/nearest_name.hpp"
#include "clack/symbolic/storage.hpp"

namespace clack::symbolic {
namespace {

using Arguments = std::vector<Expression>;

struct Function {
  std::string_view name;
  std::size_t fewest, most;
  Expression (*build)(const Arguments&);
};

constexpr std::size_t any_number = 1'000'000'000;

template <Expression (*f)(Expression)>
Expression of_one(const Arguments& x) {
  return f(x[0]);
}
template <Expression (*f)(Expression, Expression)>
Expression of_two(const Arguments& x) {
  return f(x[0], x[1]);
}
template <Expression (*f)(Expression, Expression)>
Expression of_many(const Arguments& x) {
  Expression result = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) result = f(result, x[i]);
  return result;
}
/// piecewise(value, condition, value, condition, ..., otherwise): the first condition that holds.
Expression build_piecewise(const Arguments& x) {
  Expression result = x.back();
  for (std::size_t i = x.size() - 1; i >= 2; i -= 2) result = select(x[i - 1], x[i - 2], result);
  return result;
}
Expression build_if(const Arguments& x) { return select(x[0], x[1], x[2]); }

constexpr std::array functions = {Function{"sin", 1, 1, of_one<sin>},
                                  Function{"cos", 1, 1, of_one<cos>},
                                  Function{"tan", 1, 1, of_one<tan>},
                                  Function{"asin", 1, 1, of_one<asin>},
                                  Function{"acos", 1, 1, of_one<acos>},
                                  Function{"atan", 1, 1, of_one<atan>},
                                  Function{"atan2", 2, 2, of_two<atan2>},
                                  Function{"sqrt", 1, 1, of_one<sqrt>},
                                  Function{"exp", 1, 1, of_one<exp>},
                                  Function{"log", 1, 1, of_one<log>},
                                  Function{"abs", 1, 1, of_one<abs>},
                                  Function{"sign", 1, 1, of_one<sign>},
                                  Function{"min", 2, any_number, of_many<min>},
                                  Function{"max", 2, any_number, of_many<max>},
                                  Function{"pow", 2, 2, of_two<pow>},
                                  Function{"if", 3, 3, build_if},
                                  Function{"piecewise", 3, any_number, build_piecewise}};

const Function* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

/// Names people bring along from elsewhere.
std::string_view usual_name(std::string_view foreign) {
  struct Pair {
    std::string_view foreign, ours;
  };
  constexpr std::array pairs = {
      Pair{"ln", "log"},      Pair{"fabs", "abs"},    Pair{"arcsin", "asin"},
      Pair{"arccos", "acos"}, Pair{"arctan", "atan"}, Pair{"sgn", "sign"},
      Pair{"PI", "pi"},       Pair{"Pi", "pi"},       Pair{"power", "pow"},
      Pair{"signum", "sign"}, Pair{"fmin", "min"},    Pair{"fmax", "max"}};
  for (const Pair& pair : pairs)
    if (pair.foreign == foreign) return pair.ours;
  return {};
}

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Names& names, const ParseLimits& limits)
      : graph_(graph), text_(text), names_(names), limits_(limits) {
    advance();
  }

  Expression whole() {
    if (token_.kind == TokenKind::end)
      throw ParseError(0, "the formula is empty", "write a number or a formula");
    const Expression result = disjunction();
    if (token_.kind != TokenKind::end) refuse_continuation();
    return result;
  }

 private:
  struct Deeper {  // counts nesting while it lives
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > parser_.limits_.depth)
        throw ParseError(parser_.token_.position,
                         fmt::format("the formula is nested deeper than {}", parser_.limits_.depth),
                         "name its parts and combine the names");
    }
    ~Deeper() { --parser_.depth_; }
    Parser& parser_;
  };

  void advance() {
    previous_end_ = token_.position + token_.text.size();
    token_ = next_token(text_, previous_end_);
  }
  bool at(std::string_view word) const {
    return (token_.kind == TokenKind::symbol || token_.kind == TokenKind::identifier) &&
           token_.text == word;
  }
  bool accept(std::string_view word) {
    if (!at(word)) return false;
    advance();
    return true;
  }
  Expression bounded(Expression e) {
    if (graph_.size() > limits_.nodes)
      throw ParseError(token_.position,
                       fmt::format("the formula needs more than {} operations", limits_.nodes),
                       "simplify it");
    return e;
  }

  Expression disjunction() {
    Expression left = conjunction();
    while (accept("or")) {
      const Expression right = conjunction();
      left = bounded(select(left, graph_.number(1.0), truth(right)));
    }
    return left;
  }
  Expression conjunction() {
    Expression left = negation();
    while (accept("and")) {
      const Expression right = negation();
      left = bounded(select(left, truth(right), graph_.number(0.0)));
    }
    return left;
  }
  Expression negation() {
    if (!at("not")) return comparison();
    const Deeper deeper(*this);
    advance();
    return bounded(select(negation(), graph_.number(0.0), graph_.number(1.0)));
  }
  /// 1 or 0 for any number.
  Expression truth(Expression e) {
    const Op op = graph_.storage().nodes[e.node()].op;
    if (op == Op::less || op == Op::less_equal || op == Op::equal) return e;
    return select(e, graph_.number(1.0), graph_.number(0.0));
  }

  bool at_comparison() const {
    return at("<") || at("<=") || at(">") || at(">=") || at("==") || at("!=");
  }
  Expression comparison() {
    const Expression left = sum();
    if (!at_comparison()) return left;
    const std::string_view word = token_.text;
    advance();
    const Expression right = sum();
    if (at_comparison())
      throw ParseError(token_.position, "comparisons cannot be chained",
                       "write a < b and b < c instead of a < b < c");
    if (word == "<") return bounded(less(left, right));
    if (word == "<=") return bounded(less_equal(left, right));
    if (word == ">") return bounded(less(right, left));
    if (word == ">=") return bounded(less_equal(right, left));
    const Expression same = bounded(equal(left, right));
    return word == "==" ? same : bounded(1.0 - same);
  }
  Expression sum() {
    Expression left = product();
    for (;;) {
      if (accept("+"))
        left = bounded(left + product());
      else if (accept("-"))
        left = bounded(left - product());
      else
        return left;
    }
  }
  Expression product() {
    Expression left = signed_power();
    for (;;) {
      if (accept("*"))
        left = bounded(left * signed_power());
      else if (accept("/"))
        left = bounded(left / signed_power());
      else
        return left;
    }
  }
  Expression signed_power() {
    if (!at("+") && !at("-")) return power();
    const Deeper deeper(*this);
    const bool is_minus = at("-");
    advance();
    const Expression operand = signed_power();
    return is_minus ? bounded(-operand) : operand;
  }
  Expression power() {
    const Expression base = primary();
    if (!at("^")) return base;
    const Deeper deeper(*this);
    advance();
    return bounded(pow(base, signed_power()));
  }
  Expression primary() {
    const Token token = token_;
    switch (token.kind) {
      case TokenKind::number:
        advance();
        if (token_.kind == TokenKind::identifier && token_.position == previous_end_)
          throw ParseError(
              token_.position,
              fmt::format("an operator is missing between {} and {}", token.text, quoted(token_)),
              fmt::format("write {}*{}", token.text, token_.text.substr(0, 40)));
        return bounded(graph_.number(token.value));
      case TokenKind::identifier:
        return named();
      case TokenKind::symbol:
        if (token.text == "(") {
          const Deeper deeper(*this);
          advance();
          const Expression inside = disjunction();
          close(token);
          return inside;
        }
        break;
      case TokenKind::end:
        break;
    }
    refuse_operand(token);
  }
  void close(const Token& opening) {
    if (accept(")")) return;
    if (token_.kind != TokenKind::end && !at(",")) refuse_continuation();
    throw ParseError(token_.position, fmt::format("')' is missing before {}", quoted(token_)),
                     fmt::format("close the parenthesis opened at byte {}", opening.position));
  }

  Expression named() {
    const Token name = token_;
    advance();
    if (at("(")) return call(name);
    if (name.text == "pi") return graph_.number(std::numbers::pi);
    if (name.text == "and" || name.text == "or" || name.text == "not") refuse_operand(name);
    const Expression found = names_.resolve ? names_.resolve(name.text) : Expression{};
    if (found.is_valid()) {
      if (found.graph() != &graph_)
        throw std::invalid_argument("a name was resolved to a formula of another graph");
      return bounded(found);
    }
    if (find_function(name.text) != nullptr)
      throw ParseError(name.position, fmt::format("function {} needs arguments", name.text),
                       fmt::format("write {}(...)", name.text));
    unknown(name, false);
  }
  Expression call(const Token& name) {
    const Function* function = find_function(name.text);
    if (function == nullptr) unknown(name, true);
    const Deeper deeper(*this);
    const Token opening = token_;
    advance();
    Arguments arguments;
    if (!at(")")) {
      do {
        arguments.push_back(disjunction());
      } while (accept(","));
    }
    close(opening);
    check_count(*function, name, arguments.size());
    return bounded(function->build(arguments));
  }
  static void check_count(const Function& function, const Token& name, std::size_t given) {
    const bool is_piecewise = function.name == "piecewise";
    if (given >= function.fewest && given <= function.most && !(is_piecewise && given % 2 == 0))
      return;
    std::string wanted = fmt::format("{}", function.fewest);
    if (is_piecewise)
      wanted = "an odd number (3 or more)";
    else if (function.most == any_number)
      wanted = fmt::format("at least {}", function.fewest);
    const std::string_view shape = is_piecewise ? "piecewise(value, condition, ..., otherwise)"
                                   : function.name == "if" ? "if(condition, value, otherwise)"
                                   : function.fewest == 1  ? "one argument in parentheses"
                                                           : "the arguments separated by a comma";
    throw ParseError(name.position,
                     fmt::format("{} takes {} argument{}, {} given", function.name, wanted,
                                 wanted == "1" ? "" : "s", given),
                     fmt::format("write {}", shape));
  }

  [[noreturn]] void unknown(const Token& name, bool is_called) const {
    std::vector<std::string> candidates;
    if (!is_called) {
      candidates = names_.known_names;
      candidates.emplace_back("pi");
    }
    for (const Function& f : functions) candidates.emplace_back(f.name);
    std::string nearest(usual_name(name.text));
    if (nearest.empty()) nearest = nearest_name(name.text, candidates);
    const bool is_value = std::find(names_.known_names.begin(), names_.known_names.end(),
                                    name.text) != names_.known_names.end();
    if (is_called && is_value)
      throw ParseError(name.position, fmt::format("{} is no function", quoted(name)),
                       fmt::format("write {}*(...) for a product", name.text));
    throw ParseError(name.position,
                     fmt::format("unknown {} {}", is_called ? "function" : "name", quoted(name)),
                     nearest.empty() ? "define it, or use a known name"
                                     : fmt::format("did you mean {}?", nearest));
  }
  [[noreturn]] void refuse_operand(const Token& token) const {
    if (token.kind == TokenKind::end)
      throw ParseError(token.position, "the formula ends where a value is expected",
                       "complete it or remove the last operator");
    throw ParseError(token.position, fmt::format("{} where a value is expected", quoted(token)),
                     token.text == ")" ? "remove the parenthesis or fill it"
                                       : "write a number, a name or a parenthesis here");
  }
  [[noreturn]] void refuse_continuation() const {
    if (at(")"))
      throw ParseError(token_.position, "')' without '('",
                       "remove it or open a parenthesis before");
    if (at(","))
      throw ParseError(token_.position, "',' outside the arguments of a function",
                       "decimal fractions are written with a point");
    throw ParseError(token_.position,
                     fmt::format("an operator is missing before {}", quoted(token_)),
                     "write * for a product");
  }

  Graph& graph_;
  std::string_view text_;
  const Names& names_;
  const ParseLimits& limits_;
  Token token_;
  std::size_t previous_end_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Expression parse(Graph& graph, std::string_view text, const Names& names,
                 const ParseLimits& limits) {
  if (text.size() > limits.length)
    throw ParseError(limits.length,
                     fmt::format("the formula has {} bytes, more than the limit of {}", text.size(),
                                 limits.length),
                     "name its parts and combine the names");
  return Parser(graph, text, names, limits).whole();
}

}  // namespace clack::symbolic
