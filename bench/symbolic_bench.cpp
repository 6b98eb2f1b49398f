// SPDX-License-Identifier: Apache-2.0
// Speed of the symbolic core: reading, differentiating and compiling 1000 operations, and
// evaluation of the compiled formulas against the same formulas written by hand. Ratios are printed
// by the same run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "clack/symbolic/parser.hpp"
#include "clack/symbolic/program.hpp"

namespace {

using namespace clack::symbolic;

// ---- the woodpecker with four degrees of freedom: mass matrix and smooth force ----

constexpr double m_M = 0.0003, J_M = 5e-9, m_S = 0.0045, J_S = 7e-7, g = 9.81, c = 0.0056;
constexpr double l_M = 0.010, l_G = 0.015;

/// q = (x, y, a, b), v; out = upper triangle of M (10), then h (4). The way a careful person writes
/// it.
__attribute__((noinline)) void woodpecker_by_hand(const double* in, double* out) {
  const double a = in[2], b = in[3], a_dot = in[6], b_dot = in[7];
  const double sin_a = std::sin(a), cos_a = std::cos(a), sin_b = std::sin(b), cos_b = std::cos(b);
  const double sin_ba = std::sin(b - a), cos_ba = std::cos(b - a);
  const double aa = a_dot * a_dot, bb = b_dot * b_dot;
  out[0] = m_M + m_S;
  out[1] = 0.0;
  out[2] = -m_S * l_M * sin_a;
  out[3] = -m_S * l_G * sin_b;
  out[4] = m_M + m_S;
  out[5] = m_S * l_M * cos_a;
  out[6] = m_S * l_G * cos_b;
  out[7] = J_M + l_M * l_M * m_S;
  out[8] = l_G * l_M * m_S * cos_ba;
  out[9] = J_S + l_G * l_G * m_S;
  out[10] = m_S * (l_G * bb * cos_b + l_M * aa * cos_a);
  out[11] = -g * (m_S + m_M) + m_S * (l_G * bb * sin_b + l_M * aa * sin_a);
  out[12] = c * (b - a) + l_M * m_S * (-g * cos_a + l_G * bb * sin_ba);
  out[13] = -c * (b - a) - l_G * m_S * (g * cos_b + l_M * aa * sin_ba);
}

/// The same without the library functions: sines and cosines arrive as inputs, so only arithmetic
/// counts.
__attribute__((noinline)) void arithmetic_by_hand(const double* in, double* out) {
  const double sin_a = in[0], cos_a = in[1], sin_b = in[2], cos_b = in[3], sin_ba = in[4],
               cos_ba = in[5];
  const double a = in[6], b = in[7], a_dot = in[8], b_dot = in[9];
  const double aa = a_dot * a_dot, bb = b_dot * b_dot;
  out[0] = -m_S * l_M * sin_a;
  out[1] = -m_S * l_G * sin_b;
  out[2] = m_S * l_M * cos_a;
  out[3] = m_S * l_G * cos_b;
  out[4] = l_G * l_M * m_S * cos_ba;
  out[5] = m_S * (l_G * bb * cos_b + l_M * aa * cos_a);
  out[6] = -g * (m_S + m_M) + m_S * (l_G * bb * sin_b + l_M * aa * sin_a);
  out[7] = c * (b - a) + l_M * m_S * (-g * cos_a + l_G * bb * sin_ba);
  out[8] = -c * (b - a) - l_G * m_S * (g * cos_b + l_M * aa * sin_ba);
}

struct Task {
  Graph graph;
  std::vector<Expression> inputs, outputs;

  Task(const std::vector<std::string>& symbols, const std::vector<std::string>& formulas) {
    for (const std::string& name : symbols) inputs.push_back(graph.symbol(name));
    const Names names{[&](std::string_view name) -> Expression {
                        const struct {
                          const char* name;
                          double value;
                        } parameters[] = {{"m_M", m_M}, {"J_M", J_M}, {"m_S", m_S}, {"J_S", J_S},
                                          {"g", g},     {"c", c},     {"l_M", l_M}, {"l_G", l_G}};
                        for (const auto& p : parameters)
                          if (name == p.name) return graph.number(p.value);
                        return graph.symbol(name);
                      },
                      {}};
    for (const std::string& text : formulas) outputs.push_back(parse(graph, text, names));
  }
};

Task woodpecker() {
  return {{"x", "y", "a", "b", "x_dot", "y_dot", "a_dot", "b_dot"},
          {"m_M + m_S", "0", "-m_S*l_M*sin(a)", "-m_S*l_G*sin(b)", "m_M + m_S", "m_S*l_M*cos(a)",
           "m_S*l_G*cos(b)", "J_M + l_M^2*m_S", "l_G*l_M*m_S*cos(b - a)", "J_S + l_G^2*m_S",
           "m_S*(l_G*b_dot^2*cos(b) + l_M*a_dot^2*cos(a))",
           "-g*(m_S + m_M) + m_S*(l_G*b_dot^2*sin(b) + l_M*a_dot^2*sin(a))",
           "c*(b - a) + l_M*m_S*(-g*cos(a) + l_G*b_dot^2*sin(b - a))",
           "-c*(b - a) - l_G*m_S*(g*cos(b) + l_M*a_dot^2*sin(b - a))"}};
}

Task arithmetic() {
  return {{"sin_a", "cos_a", "sin_b", "cos_b", "sin_ba", "cos_ba", "a", "b", "a_dot", "b_dot"},
          {"-m_S*l_M*sin_a", "-m_S*l_G*sin_b", "m_S*l_M*cos_a", "m_S*l_G*cos_b",
           "l_G*l_M*m_S*cos_ba", "m_S*(l_G*b_dot^2*cos_b + l_M*a_dot^2*cos_a)",
           "-g*(m_S + m_M) + m_S*(l_G*b_dot^2*sin_b + l_M*a_dot^2*sin_a)",
           "c*(b - a) + l_M*m_S*(-g*cos_a + l_G*b_dot^2*sin_ba)",
           "-c*(b - a) - l_G*m_S*(g*cos_b + l_M*a_dot^2*sin_ba)"}};
}

// ---- reading, differentiating, compiling ----

/// A formula whose text, together with its derivative, needs about 1000 operations.
std::string long_formula() {
  std::string text = "0";
  for (int i = 0; i < 62; ++i)
    text += fmt::format(" + {}*sin({}*x + y)*(x - {})^2/(y + {})", 1.5 + i, 0.25 * i + 0.1, 0.3 * i,
                        2 + i);
  return text;
}

std::size_t read_differentiate_compile(const std::string& text, Backend backend) {
  Graph graph;
  const std::vector<Expression> inputs{graph.symbol("x"), graph.symbol("y")};
  const Names names{[&](std::string_view name) { return name == "x" ? inputs[0] : inputs[1]; }, {}};
  const Expression e = parse(graph, text, names);
  const std::vector<Expression> outputs{e, derivative(e, inputs[0])};
  return Program(inputs, outputs, backend).operation_count();
}

void BM_ReadDifferentiateCompile(benchmark::State& state) {
  const auto backend = state.range(0) ? Backend::machine_code : Backend::tape;
  const std::string text = long_formula();
  std::size_t operations = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(operations = read_differentiate_compile(text, backend));
  state.counters["operations"] = static_cast<double>(operations);
}
BENCHMARK(BM_ReadDifferentiateCompile)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void BM_Compile(benchmark::State& state) {
  Graph graph;
  const std::vector<Expression> inputs{graph.symbol("x"), graph.symbol("y")};
  Expression e = inputs[0];
  for (int i = 0; i < state.range(0); ++i) e = i % 2 ? e * inputs[1] - inputs[0] : e + 0.5 * i;
  for (auto _ : state) {
    const Program program(inputs, {&e, 1});
    benchmark::DoNotOptimize(program.operation_count());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Compile)->Arg(1000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

// ---- evaluation ----

const double state_sample[10] = {0.1, 0.2, -0.1, -0.28, 0.3, 0.4, 0.7, -7.4, 1.1, -2.2};

template <typename Function>
void run(benchmark::State& state, const Function& function) {
  double in[10], out[16];
  std::copy_n(state_sample, 10, in);
  for (auto _ : state) {
    benchmark::DoNotOptimize(in);
    function(in, out);
    benchmark::DoNotOptimize(out);
    benchmark::ClobberMemory();
  }
}
void BM_Woodpecker_ByHand(benchmark::State& state) { run(state, woodpecker_by_hand); }
void BM_Woodpecker_Program(benchmark::State& state) {
  const Task task = woodpecker();
  run(state,
      Program(task.inputs, task.outputs, state.range(0) ? Backend::machine_code : Backend::tape));
}
void BM_Arithmetic_ByHand(benchmark::State& state) { run(state, arithmetic_by_hand); }
void BM_Arithmetic_Program(benchmark::State& state) {
  const Task task = arithmetic();
  run(state,
      Program(task.inputs, task.outputs, state.range(0) ? Backend::machine_code : Backend::tape));
}
BENCHMARK(BM_Woodpecker_ByHand);
BENCHMARK(BM_Woodpecker_Program)->Arg(0)->Arg(1);
BENCHMARK(BM_Arithmetic_ByHand);
BENCHMARK(BM_Arithmetic_Program)->Arg(0)->Arg(1);

// ---- ratios ----

/// Nanoseconds per call, the best of several rounds.
template <typename Function>
double nanoseconds(const Function& function) {
  double in[10], out[16], best = 1e30;
  std::copy_n(state_sample, 10, in);
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 20'000; ++i) {
      benchmark::DoNotOptimize(in);
      function(in, out);
      benchmark::ClobberMemory();
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / 20'000);
  }
  return best;
}

template <typename Function>
void print_ratio(const char* name, const Task& task, const Function& by_hand) {
  const Program tape(task.inputs, task.outputs, Backend::tape);
  const Program code(task.inputs, task.outputs, Backend::machine_code);
  double ours[16], theirs[16];
  code(state_sample, ours);
  by_hand(state_sample, theirs);
  double largest = 0.0;
  for (std::size_t i = 0; i < task.outputs.size(); ++i)
    largest = std::max(largest, std::fabs(ours[i] - theirs[i]) / (std::fabs(theirs[i]) + 1e-300));
  const double hand = nanoseconds(by_hand), machine = nanoseconds(code),
               interpreted = nanoseconds(tape);
  fmt::print("{}: {} operations; by hand {:.1f} ns, machine code {:.1f} ns, tape {:.1f} ns\n", name,
             code.operation_count(), hand, machine, interpreted);
  fmt::print(
      "  ratio machine code / by hand {:.2f} (target < 2), tape / machine code {:.2f}, largest "
      "relative "
      "difference {:.1e}\n",
      machine / hand, interpreted / machine, largest);
}

void print_ratios() {
  print_ratio("woodpecker, 4 degrees of freedom", woodpecker(), woodpecker_by_hand);
  print_ratio("the same with sines given", arithmetic(), arithmetic_by_hand);
  const std::string text = long_formula();
  double best = 1e30;
  std::size_t operations = 0;
  for (int i = 0; i < 100; ++i) {
    const auto start = std::chrono::steady_clock::now();
    operations = read_differentiate_compile(text, Backend::machine_code);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  fmt::print("read, differentiate and compile {} operations: {:.3f} ms (target < 1)\n", operations,
             best);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  print_ratios();
}
