// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <unistd.h>

#include "clack/symbolic/parser.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/symbolic/random_formula.hpp"

namespace clack::symbolic {
namespace {

Names names_of(Graph& graph) {
  return {[&graph](std::string_view name) { return graph.symbol(name); }, {}};
}

TEST(Print, TextReadsLikeTheFormula) {
  Graph graph;
  const Names names = names_of(graph);
  for (const char* text :
       {"x + y*z",  "-x*y",    "z*(x + y)",       "x - (y - z)", "x/(y*z)",     "z*(x/y)",
        "x^2",      "(-x)^y",  "x^(y + 1)",       "x^y^z",       "(x^y)^z",     "-x^2",
        "2*sin(x)", "-2*x",    "if(x < y, 1, 2)", "z*(x < y)",   "atan2(y, x)", "min(x, y)",
        "x + pi",   "1e-05*x", "x == y",          "-(x + y)"})
    EXPECT_EQ(to_text(parse(graph, text, names)), text);
}

TEST(Print, TextReadsBackToTheSameNode) {
  int compared = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Graph graph;
    testing::RandomFormula formula(graph, seed, false);
    for (Expression e : {formula(14), derivative(formula(6), formula.symbols[0])}) {
      const std::string text = to_text(e);
      if (text.size() > 50'000) continue;
      EXPECT_EQ(parse(graph, text, names_of(graph)), e) << text;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1500);
}

TEST(Print, LatexHasFractionsIndicesGreekAndRates) {
  Graph graph;
  const Names names = names_of(graph);
  const auto latex = [&](const char* text) { return to_latex(parse(graph, text, names)); };
  EXPECT_EQ(latex("x/y"), "\\frac{x}{y}");
  EXPECT_EQ(latex("m_S*phi_M_dot^2"), "m_{S} \\, {\\dot{\\phi_{M}}}^{2}");
  EXPECT_EQ(latex("sqrt(x + 1)"), "\\sqrt{x + 1}");
  EXPECT_EQ(latex("sin(x)*(x + y)"), "\\sin\\left(x\\right) \\, \\left(x + y\\right)");
  EXPECT_EQ(latex("abs(mass)"), "\\left|\\mathrm{mass}\\right|");
  EXPECT_EQ(latex("2e-30"), "2 \\cdot 10^{-30}");
  EXPECT_EQ(latex("if(x < y, x, y)"),
            "\\begin{cases} x & \\text{if } x < y \\\\ y & \\text{otherwise} \\end{cases}");
}

TEST(Print, CWritesDoublesAndLibraryNames) {
  Graph graph;
  const Names names = names_of(graph);
  const auto c = [&](const char* text) { return to_c(parse(graph, text, names)); };
  EXPECT_EQ(c("2*x^3"), "2.0*pow(x, 3.0)");
  EXPECT_EQ(c("abs(rod.left)"), "fabs(rod_left)");
  EXPECT_EQ(c("if(x < y, 1, z)"), "((double)(x < y) != 0 ? 1.0 : z)");
}

TEST(Print, WritingOutASharedGraphStopsAtItsLimit) {
  Graph graph;
  Expression e = graph.symbol("x");
  for (int i = 0; i < 60; ++i) e = sin(e) * (cos(e) + 1.0);
  EXPECT_THROW(to_text(e), std::length_error);
}

TEST(Print, DeepFormulasNeedNoCallStack) {
  Graph graph;
  Expression e = graph.symbol("x");
  for (int i = 0; i < 300'000; ++i) e = sin(e);
  EXPECT_EQ(to_text(e).size(), 300'000u * 5 + 1);
}

class Folder {  // a temporary folder that goes away
 public:
  Folder()
      : path(std::filesystem::temp_directory_path() / ("clack_print_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

TEST(Print, TheCompiledCFunctionGivesTheValuesOfTheProgram) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler here";
  Graph graph;
  testing::RandomFormula formula(graph, 5, false);
  std::vector<Expression> outputs;
  for (int i = 0; i < 40; ++i) outputs.push_back(formula(12));
  const Folder folder;
  std::ofstream(folder.path / "f.c")
      << "#include <math.h>\n"
      << to_c_function("f", formula.symbols, outputs)
      << "double g(double x, double y, double z) { (void)x; (void)y; "
         "(void)z; return "
      << to_c(outputs[3]) << "; }\n";
  const std::string library = (folder.path / "f.so").string();
  const std::string command = "cc -std=c99 -Wall -Werror -O1 -ffp-contract=off -shared -fPIC -o " +
                              library + " " + (folder.path / "f.c").string() + " -lm";
  ASSERT_EQ(std::system(command.c_str()), 0);
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(handle, nullptr) << dlerror();
  const auto f = reinterpret_cast<void (*)(const double*, double*)>(dlsym(handle, "f"));
  const auto g = reinterpret_cast<double (*)(double, double, double)>(dlsym(handle, "g"));
  const Program program(formula.symbols, outputs);
  for (int i = 0; i < 100; ++i) {
    const double at[] = {formula.number(-2, 2), formula.number(-2, 2), formula.number(-2, 2)};
    std::vector<double> ours(outputs.size()), theirs(outputs.size());
    program(at, ours.data());
    f(at, theirs.data());
    // pow() and our chains of multiplications differ in the last bits.
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (!std::isfinite(ours[k])) continue;
      EXPECT_NEAR(ours[k], theirs[k], 1e-10 * (1 + std::fabs(ours[k]))) << to_text(outputs[k]);
      if (k == 3) {
        EXPECT_NEAR(ours[3], g(at[0], at[1], at[2]), 1e-10 * (1 + std::fabs(ours[3])));
      }
    }
  }
  dlclose(handle);
}

}  // namespace
}  // namespace clack::symbolic
