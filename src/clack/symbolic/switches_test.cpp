// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/switches.hpp"

#include <gtest/gtest.h>

#include "clack/symbolic/parser.hpp"
#include "clack/symbolic/program.hpp"

namespace clack::symbolic {
namespace {

struct Reader {
  Graph graph;
  std::vector<Expression> inputs{graph.symbol("t"), graph.symbol("x")};
  SwitchSplitter splitter{graph};

  Expression read(const char* text) {
    return parse(graph, text,
                 Names{[&](std::string_view name) { return graph.symbol(name); }, {"t", "x"}});
  }
  /// With branches that follow their conditions, inner ones first.
  double follow(Expression split, double t, double x) {
    std::vector<Expression> all = inputs;
    std::vector<double> in{t, x};
    for (const Switch& s : splitter.switches()) {
      double value = 0.0;
      Program(all, {&s.condition, 1})(in.data(), &value);
      all.push_back(s.branch);
      in.push_back(branch_of(s.kind, value));
    }
    double value = 0.0;
    Program(all, {&split, 1})(in.data(), &value);
    return value;
  }
};

TEST(Switches, FollowingTheirConditionsLeaveEveryFormulaWhatItWas) {
  for (const char* text : {"if(t > 1, x, -x)", "if(t >= 1 and x < 2, 3, 4)", "abs(x - t)",
                           "sign(x)*t", "min(t, x)", "max(t, x^2) + min(x, 1)",
                           "if(abs(x) < max(t, 1), sin(x), cos(t))", "if(not (x <= t), 1, 2)"}) {
    Reader r;
    const Expression plain = r.read(text), split = r.splitter.split(plain);
    const Program program(r.inputs, {&plain, 1});
    for (const double t : {-1.0, 0.0, 0.5, 1.0, 3.0})
      for (const double x : {-2.0, -1.0, 0.0, 1.0, 2.5}) {
        const double in[] = {t, x};
        double expected = 0.0;
        program(in, &expected);
        EXPECT_EQ(r.follow(split, t, x), expected) << text << " at " << t << ", " << x;
      }
  }
}

TEST(Switches, HeldMakeAFormulaSmooth) {
  Reader r;
  const Expression split = r.splitter.split(r.read("abs(x) + if(t > 1, 5, 0)"));
  ASSERT_EQ(r.splitter.switches().size(), 2u);
  std::vector<Expression> all = r.inputs;
  for (const Switch& s : r.splitter.switches()) all.push_back(s.branch);
  const Program program(all, {&split, 1});
  const double in[] = {2.0, -3.0, 1.0, 0.0};  // beyond both conditions, still on the old branches
  double value = 0.0;
  program(in, &value);
  EXPECT_EQ(value, -3.0);
}

TEST(Switches, EqualConditionsAreOneAndSmoothFormulasHaveNone) {
  Reader r;
  const Expression smooth = r.read("sin(t)*x^2");
  EXPECT_EQ(r.splitter.split(smooth), smooth);
  EXPECT_TRUE(r.splitter.switches().empty());
  r.splitter.split(r.read("if(t > 1, x, 0)"));
  r.splitter.split(r.read("if(t > 1, 0, x) + sign(1 - 2)"));
  EXPECT_EQ(r.splitter.switches().size(), 1u);
}

}  // namespace
}  // namespace clack::symbolic
