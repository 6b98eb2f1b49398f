// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <new>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "clack/symbolic/random_formula.hpp"

namespace {
std::size_t allocations = 0;
}
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace clack::symbolic {
namespace {

TEST(Program, CountsItsParts) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x"), graph.symbol("y")}, out{in[0] + in[1]};
  const Program program(in, out);
  EXPECT_EQ(program.input_count(), 2u);
  EXPECT_EQ(program.output_count(), 1u);
  EXPECT_EQ(program.operation_count(), 1u);
  EXPECT_EQ(Program(in, out, Backend::tape).backend(), Backend::tape);
  EXPECT_EQ(program.backend(),
            Program::machine_code_available() ? Backend::machine_code : Backend::tape);
}

TEST(Program, OutlivesItsGraph) {
  Program program;
  {
    Graph graph;
    const std::vector<Expression> in{graph.symbol("x")}, out{sin(in[0]) * 3.0};
    program = Program(in, out);
  }
  const double x = 0.5;
  double y = 0;
  program(&x, &y);
  EXPECT_EQ(y, std::sin(0.5) * 3.0);
}

TEST(Program, CopiesAreIndependent) {
  for (Backend backend : {Backend::tape, Backend::automatic}) {
    Graph graph;
    const std::vector<Expression> in{graph.symbol("x")}, out{exp(in[0]) + in[0]};
    auto first = std::make_unique<Program>(in, out, backend);
    const Program second(*first);
    first.reset();
    const double x = 0.5;
    double y = 0;
    second(&x, &y);
    EXPECT_EQ(y, std::exp(0.5) + 0.5);
  }
}

TEST(Program, WithoutOutputsDoesNothing) {
  const Program empty;
  empty(nullptr, nullptr);
  EXPECT_EQ(empty.output_count(), 0u);
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x")};
  const Program none(in, {});
  const double x = 1;
  none(&x, nullptr);
  EXPECT_EQ(none.input_count(), 1u);
}

TEST(Program, CallsAllocateNothing) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer owns the allocator";
#endif
  Graph graph;
  testing::RandomFormula formula(graph, 1, false);
  const std::vector<Expression> out{formula(50), formula(80)};
  for (Backend backend : {Backend::tape, Backend::automatic}) {
    const Program program(formula.symbols, out, backend);
    const double at[] = {0.1, 0.2, 0.3};
    double result[2];
    const std::size_t before = allocations;
    for (int i = 0; i < 100; ++i) program(at, result);
    EXPECT_EQ(allocations, before);
  }
  EXPECT_GT(allocations, 0u);  // the counter counts
}

double seconds_to_compile(std::size_t operations, Backend backend) {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x"), graph.symbol("y")};
  std::vector<Expression> recent{in[0], in[1], in[0] + in[1]};
  Expression e = in[0];
  for (std::size_t i = 0; i < operations; ++i) {
    const Expression other = recent[(7 * i) % recent.size()];
    e = i % 3 == 0 ? e * (0.5 + static_cast<double>(i)) : i % 3 == 1 ? other - e : sqrt(e);
    if (recent.size() < 200) recent.push_back(e);
  }
  const std::clock_t start = std::clock();  // processor time: other programs do not count
  const Program program(in, {&e, 1}, backend);
  const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(program.operation_count(), operations / 2);
  return taken;
}

TEST(Program, CompilesAHundredThousandOperationsInLinearTime) {
  for (Backend backend : {Backend::tape, Backend::automatic}) {
    // Best of several; quadratic growth would be a factor of 100. The added term covers the clock's
    // grain.
    double small = 1e9, large = 1e9;
    for (int i = 0; i < 5; ++i) {
      small = std::min(small, seconds_to_compile(10'000, backend));
      large = std::min(large, seconds_to_compile(100'000, backend));
    }
    EXPECT_LT(large, 40 * small + 0.01);
    EXPECT_LT(large, 1.0);
  }
}

#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
/// In a process whose address space may not grow, executable pages are refused. It has made none before.
[[noreturn]] void compile_without_new_pages() {
  Graph graph;
  const std::vector<Expression> in{graph.symbol("x")}, out{sin(in[0]) + in[0]};
  const double x = 0.5;
  double y = 0;
  Program(in, out, Backend::tape)(&x, &y);  // what the heap needs has been asked for once
  { const std::vector<char> spare(100'000); }
  const rlimit none{0, 0};
  setrlimit(RLIMIT_AS, &none);
  const Program program(in, out, Backend::machine_code);
  program(&x, &y);
  const bool is_right = program.backend() == Backend::tape && y == std::sin(0.5) + 0.5 &&
                        !Program::machine_code_available();
  std::_Exit(is_right ? 0 : 1);
}

TEST(Program, FallsBackToTheTapeWhenExecutableMemoryIsRefused) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";  // begins a new process
  EXPECT_EXIT(compile_without_new_pages(), ::testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace clack::symbolic
