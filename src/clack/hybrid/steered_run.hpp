// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <future>
#include <utility>

#include "clack/error.hpp"
#include "clack/hybrid/input_line.hpp"
#include "clack/hybrid/simulation.hpp"

namespace clack {

/// A simulation that is fed with lines (input_line.hpp), with a log that makes it repeatable: the same lines at the times at
/// which they acted give the same bits, whoever wrote them and whenever they came.
///
/// Constraints and contacts that arrive are read, differentiated and compiled by a worker while the run goes on. A line with a
/// time acts at that time: should its entries not be ready then, simulated time waits. A line without a time acts as soon as
/// it can, those behind it after it.
class SteeredRun {
 public:
  explicit SteeredRun(std::unique_ptr<Simulation> simulation);

  Simulation& simulation() { return *simulation_; }

  /// A line that acts at its time or, when it has none or that is over, where the run is when it is next advanced and the line
  /// is ready. Lines act in the order of their times, of equal times as they came. Throws InputError for names that will not be known then and for entries that the reader
  /// refuses; nothing has changed in that case.
  void put(InputLine line);
  /// The same without waiting: entries of the line are also read by the worker. What is wrong with them is found in `refused`
  /// once it is known.
  void announce(InputLine line);
  /// Lines that could not be used after all, since this was asked last.
  std::vector<InputError> take_refused() { return std::exchange(refused_, {}); }
  /// Lines that are due on the way act; then the run is at t.
  void advance_until(double t);
  /// To the end of the run, all lines included.
  void advance_to_end();
  /// When the next line acts, s; infinite: none is waiting.
  double next_action() const;
  bool is_over() const { return simulation_->is_over(); }

  /// The lines that have acted, with their times.
  const std::vector<std::string>& acted() const { return acted_; }
  void set_acted(std::vector<std::string> lines) { acted_ = std::move(lines); }
  /// Those that are still waiting.
  std::vector<std::string> waiting() const;
  /// What arrived, and how long simulated time had to wait for it.
  const std::vector<TraceEmbedding>& embeddings() const { return embeddings_; }

 private:
  /// A model with everything that was announced so far, and how it is to be run.
  struct Base {
    Simulation::Growth growth;
    std::shared_ptr<const Model> model;
    RunOptions options;
  };
  struct Ready {
    std::shared_ptr<Simulation::Prepared> prepared;
    Base base;  // with it
  };
  struct Announced {
    double t = 0.0;
    InputLine line;
    std::shared_future<Ready> prepared;  // of arrivals
    double known_at = 0.0;
    std::optional<double> ready_at = {};
    bool is_ready() const;
  };
  void check_names(const InputLine& line, const Model& known) const;
  void add(InputLine line, std::shared_future<Ready> prepared);
  std::shared_future<Base> with(const std::shared_future<Ready>& prepared) const;
  void act(Announced& next);
  void act_or_refuse(Announced& next);
  void act_on_untimed();
  void wait_for(const InputLine& line);

  std::unique_ptr<Simulation> simulation_;
  std::vector<std::string> constraint_names_;  // also those to come
  std::shared_future<Base> announced_;
  std::deque<Announced> waiting_, untimed_;
  std::vector<std::string> acted_;
  std::vector<TraceEmbedding> embeddings_;
  std::vector<InputError> refused_;
};

}  // namespace clack
