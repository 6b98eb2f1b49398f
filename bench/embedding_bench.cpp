// SPDX-License-Identifier: Apache-2.0
// Constraint embedding: deriving, embedding and compiling from a cold start, forming again and again, evaluating the embedded equations beside a function
// written by hand, accelerations and whole runs by `embedding` beside `delassus`, and the times of ticks. Ratios are of this
// run; with Debian's python3-sympy installed its recombination stands beside ours.
//   embedding_bench [--quick]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "chain_by_hand.hpp"
#include "clack/hybrid/embed.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/tick_loop.hpp"

namespace {

using namespace clack;

double median(std::vector<double> numbers) {
  std::ranges::nth_element(numbers, numbers.begin() + numbers.size() / 2);
  return numbers[numbers.size() / 2];
}

Model gallery(const std::string& name, const std::vector<Override>& overrides = {}) {
  return load_model(CLACK_SOURCE_DIR "/models/" + name, overrides);
}

/// Seconds of processor time of one call, the median of `trials` loops of `repeats`: other programs do not count.
double time_of(int trials, int repeats, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int trial = 0; trial < trials; ++trial) {
    const std::clock_t begin = std::clock();
    for (int k = 0; k < repeats; ++k) work();
    seconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / repeats);
  }
  return median(std::move(seconds));
}

struct Case {
  std::string name, model;
  std::vector<std::string> rows;
  int chain = 0;  // rods, for SymPy
};

const std::vector<Case> cases = {
    {"example 1", "disk-ramp/disk-ramp.yaml", {"rolling:stick"}, 0},
    {"example 2", "fence/fence.yaml", {"fence", "fence_foot"}, 0},
    {"example 3", "conveyor/conveyor.yaml", {"belt:stick"}, 0},
    {"chain of 2", "chain/chain-2.yaml", {"tip"}, 2},
    {"chain of 4", "chain/chain-4.yaml", {"tip"}, 4},
    {"chain of 10", "chain/chain-10.yaml", {"tip"}, 10},
    {"bicycle", "bicycle/whipple.yaml", {"rear", "front"}, 0},
};

/// Seconds of SymPy for one chain: KanesMethod of the free chain, then recombination with the tip's row, lambdify with cse. A
/// process of its own, so that its caches are cold. Negative: no SymPy.
struct SymPySeconds {
  double forming = -1.0, embedding = -1.0;
};

SymPySeconds sympy_seconds(int rods) {
  const std::string command =
      fmt::format("python3 {}/bench/sympy_recombination.py {} 2>/dev/null", CLACK_SOURCE_DIR, rods);
  std::FILE* pipe = popen(command.c_str(), "r");
  SymPySeconds seconds;
  if (pipe == nullptr) return seconds;
  if (std::fscanf(pipe, "%lf %lf", &seconds.forming, &seconds.embedding) != 2) seconds = {};
  pclose(pipe);
  return seconds;
}

struct Forming {
  std::string name;
  double ours = 0.0, sympy = -1.0;  // s
};

/// Deriving the unconstrained equations of a model that has been read, and making them executable, again and again.
void forming(const std::vector<Forming>& rows, int repeats) {
  fmt::print("forming the unconstrained equations {} times: ms each (1000 times SymPy are asked)\n",
             repeats);
  for (const Forming& row : rows)
    fmt::print("{:<12} {:>9.3f} {:>10} {:>7}\n", row.name, 1e3 * row.ours,
               row.sympy > 0.0 ? fmt::format("{:.1f}", 1e3 * row.sympy) : "-",
               row.sympy > 0.0 ? fmt::format("{:.0f}", row.sympy / row.ours) : "");
  fmt::print("\n");
}

void cold(int trials, int repeats) {
  std::vector<Forming> formed;
  fmt::print(
      "cold: forming, embedding and compiling once, ms (median of {}); SymPy: recombination with "
      "lambdify and cse\n",
      trials);
  fmt::print("{:<12} {:>9} {:>9} {:>10} {:>15} {:>11} {:>10} {:>7}\n", "", "forming", "embedding",
             "compiling", "embed + compile", "operations", "SymPy", "ratio");
  for (const Case& c : cases) {
    const Model model = gallery(c.model);
    std::vector<double> form, embedding, compiling;
    std::size_t operations = 0;
    for (int k = 0; k < trials; ++k) {
      EmbedRequest request;
      request.names = c.rows;
      const EmbedAnswer answer = embed(model, request);
      form.push_back(1e3 * answer.form_seconds);
      embedding.push_back(1e3 * answer.embed_seconds);
      compiling.push_back(1e3 * answer.compile_seconds);
      operations = answer.operations;
    }
    const double both = median(embedding) + median(compiling);
    fmt::print("{:<12} {:>9.3f} {:>9.4f} {:>10.4f} {:>15.4f} {:>11}", c.name, median(form),
               median(embedding), median(compiling), both, operations);
    const SymPySeconds peer = c.chain > 0 ? sympy_seconds(c.chain) : SymPySeconds{};
    const double ours = time_of(1, repeats, [&] { (void)make_mechanism(model); });
    formed.push_back({c.name, ours, peer.forming});
    const double sympy = 1e3 * peer.embedding;
    if (sympy > 0.0)
      fmt::print(" {:>10.1f} {:>7.0f}\n", sympy, sympy / both);
    else
      fmt::print(" {:>10} {:>7}\n", c.chain > 0 ? "no SymPy" : "-", "");
  }
  const Model bicycle = gallery("bicycle/whipple.yaml");
  const double whole = time_of(trials, 1, [&] {
    const Model read = gallery("bicycle/whipple.yaml");
    EmbedRequest request;
    request.names = {"rear", "front"};
    (void)embed(read, request);
  });
  fmt::print("bicycle from its file to code that has run once: {:.2f} ms (20 are asked)\n\n",
             1e3 * whole);
  forming(formed, repeats);
}

/// The compiled equations of the chain of ten at its start beside those written by hand.
void evaluation(int trials) {
  const Model model = gallery("chain/chain-10.yaml");
  Mechanism mechanism(model);
  Elimination order{{0}, {9}, {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  const auto program = mechanism.embedded({.contacts = {}, .constraints = {0}}, {}, order);
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  ChainByHand<10> by_hand;
  by_hand.evaluate(q.data(), v.data(), 9.8);
  program->complete(0.0, q.data(), v.data());
  double difference = 0.0;
  for (int i = 0; i < 81; ++i)
    difference = std::max(difference, std::abs(program->mass()[i] - by_hand.mass[i]));
  for (int i = 0; i < 9; ++i)
    difference = std::max(difference, std::abs(program->force()[i] - by_hand.force[i]));
  const double ours = time_of(trials, 20000, [&] { program->complete(0.0, q.data(), v.data()); });
  const double theirs = time_of(trials, 20000, [&] { by_hand.evaluate(q.data(), v.data(), 9.8); });
  fmt::print(
      "chain of 10, M~ and f~: {:.0f} ns, by hand {:.0f} ns, ratio {:.2f} (2 are asked); largest "
      "difference {:.1e}\n",
      1e9 * ours, 1e9 * theirs, ours / theirs, difference);
}

/// States of a chain near its start: other coordinates at every call, as in a run. At one and the same state formulations
/// keep the factors of the mass matrix, which no motion allows them.
class States {
 public:
  States(const Model& model, std::size_t size) {
    for (int k = 0; k < count; ++k) {
      std::vector<double>& y = states_.emplace_back();
      for (const Coordinate& c : model.coordinates) y.push_back(c.start + 1e-4 * k);
      for (const Speed& s : model.speeds) y.push_back(s.start);
      y.resize(size, 0.0);
    }
  }
  const double* next() { return states_[at_++ % count].data(); }

 private:
  static constexpr int count = 32;
  std::vector<std::vector<double>> states_;
  unsigned at_ = 0;
};

/// Accelerations by one formulation as the flow of a mode computes them.
double acceleration_seconds(const std::string& formulation, int trials) {
  const Model model = gallery("chain/chain-10.yaml", {{"run.formulation", formulation}});
  const auto mechanism = make_mechanism(model);
  const auto made = make_formulation(formulation);
  ModeDynamics dynamics(*mechanism, *made);
  Mode mode;
  mode.constraints = {true};
  dynamics.enter(mode, {}, 0.0, 0.0);
  States states(model, dynamics.size());
  dynamics.evaluate(0.0, states.next());
  const auto program = dynamics.embedded();
  std::vector<double> rates(dynamics.size()), v(10);
  if (program)
    return time_of(trials, 5000, [&] {
      const double* y = states.next();
      std::copy_n(y + 10, 10, v.data());
      program->rates(0.0, y, v.data(), rates.data());
    });
  return time_of(trials, 5000, [&] { dynamics.evaluate(0.0, states.next()); });
}

void formulations_beside(int trials) {
  const double by_embedding = acceleration_seconds("embedding", trials),
               by_delassus = acceleration_seconds("delassus", trials);
  fmt::print(
      "chain of 10, accelerations: embedding {:.0f} ns, delassus {:.0f} ns, ratio {:.2f} (0.7 are "
      "asked)\n",
      1e9 * by_embedding, 1e9 * by_delassus, by_embedding / by_delassus);
  const auto run_seconds = [&](const char* formulation) {
    const Model model = gallery("chain/chain-10.yaml", {{"run.formulation", formulation}});
    return time_of(trials, 1, [&] { (void)run(model); });
  };
  const double embedded = run_seconds("embedding"), delassus = run_seconds("delassus");
  fmt::print(
      "chain of 10, a run of 2 s: embedding {:.1f} ms, delassus {:.1f} ms, ratio {:.2f} (1 is "
      "asked)\n\n",
      1e3 * embedded, 1e3 * delassus, embedded / delassus);
}

/// Ticks of 1 kHz without waiting for the clock between them.
void ticks(const std::string& name, double until) {
  const Model model = gallery(
      name,
      {{"run.integrator", "rk4"}, {"run.step", "0.001"}, {"run.until", std::to_string(until)}});
  SteeredRun steered(std::make_unique<Simulation>(model));
  TickLoop loop(steered, 1000.0, until);
  while (!loop.is_over()) loop.tick();
  const TraceRealtime times = loop.summary();
  fmt::print(
      "{:<28} {:>6} ticks: p50 {:>6.1f} us, p99 {:>6.1f} us, p99.9 {:>6.1f} us, max {:>7.1f} us\n",
      name, times.ticks, 1e6 * times.p50, 1e6 * times.p99, 1e6 * times.p999, 1e6 * times.max);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const int trials = is_quick ? 3 : 21;
  cold(trials, is_quick ? 50 : 1000);
  evaluation(trials);
  formulations_beside(trials);
  const double until = is_quick ? 1.0 : 10.0;
  ticks("conveyor/conveyor.yaml", std::min(until, 1.3));  // until its tip leaves the belt
  ticks("fence/fence.yaml", is_quick ? 1.0 : 9.5);
  ticks("chain/chain-10.yaml", until);
}
