// SPDX-License-Identifier: Apache-2.0
#include "steering.hpp"

#include <fmt/format.h>

#include <charconv>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/json_output.hpp"

namespace clack::command {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Lines of stdin, read by a thread of its own; it may outlive the run.
class StandardInput {
 public:
  StandardInput() : shared_(std::make_shared<Shared>()) {
    std::thread([shared = shared_] {
      std::string line;
      while (std::getline(std::cin, line)) {
        const std::lock_guard lock(shared->mutex);
        shared->lines.push_back(line);
        shared->changed.notify_one();
      }
      const std::lock_guard lock(shared->mutex);
      shared->is_ended = true;
      shared->changed.notify_one();
    }).detach();
  }
  /// The next line; waits for it as long as nobody interrupts. Nothing: stdin has ended.
  std::optional<std::string> next(const Interruption& interruption) {
    std::unique_lock lock(shared_->mutex);
    while (shared_->lines.empty() && !shared_->is_ended && interruption.reason().empty())
      shared_->changed.wait_for(lock, std::chrono::milliseconds(50));
    return take();
  }
  /// The next line if there is one.
  std::optional<std::string> poll() {
    const std::lock_guard lock(shared_->mutex);
    return take();
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> lines;
    bool is_ended = false;
  };
  std::optional<std::string> take() {
    if (shared_->lines.empty()) return std::nullopt;
    std::string line = std::move(shared_->lines.front());
    shared_->lines.pop_front();
    return line;
  }
  std::shared_ptr<Shared> shared_;
};

/// One line of `--stream`: the state with all forces, and what happened since the last one.
class Stream {
 public:
  /// `told`: events that somebody knows already.
  explicit Stream(std::size_t told) : told_(told) {}
  void write(Simulation& simulation) {
    const RunView view = simulation.look();
    nlohmann::ordered_json forces = nlohmann::ordered_json::object();
    const Model& model = simulation.model();
    for (const ConstraintView& c : view.constraints)
      forces[model.constraints[c.constraint].name] = c.force;
    for (const ContactView& c : view.contacts) {
      if (c.status == ContactStatus::open) continue;
      std::vector<double> force{c.normal_force, c.friction_force[0]};
      if (model.dimension == 3) force.push_back(c.friction_force[1]);
      forces[contact_name(model, c.contact)] = force;
    }
    nlohmann::ordered_json line = {{"t", view.t}, {"q", view.q}, {"v", view.v}, {"forces", forces}};
    const std::vector<TraceEvent>& events = simulation.trace().events;
    for (; told_ < events.size(); ++told_)
      line["events"].push_back(std::string(to_string(events[told_].kind)));
    std::fputs((to_json_text(line, -1) + "\n").c_str(), stdout);
    std::fflush(stdout);
  }

 private:
  std::size_t told_;
};

class Driver {
 public:
  Driver(SteeredRun& run, const Steering& steering, const CheckpointFrame& frame,
         const Interruption& interruption)
      : run_(run),
        steering_(steering),
        frame_(frame),
        interruption_(interruption),
        stream_(run.simulation().time() > 0.0 ? run.simulation().trace().events.size() : 0) {}

  void drive() {
    if (!steering_.inputs.empty() && steering_.inputs != "-") put_file();
    if (steering_.rate.ticks > 0.0)
      drive_ticks();
    else if (steering_.inputs == "-")
      drive_by_lines();
    go_on(simulation().model().run.until, true);
    for (const InputError& e : run_.take_refused()) tell(e);
  }

 private:
  Simulation& simulation() { return run_.simulation(); }

  void put_file() {
    double last = 0.0;
    for (InputLine& line : parse_input_file(read_input_file(steering_.inputs), steering_.inputs)) {
      if (!line.t && steering_.rate.ticks == 0.0)
        throw InputError("the line has no t", line.where,
                         "give the simulated time at which it acts");
      if (line.t.value_or(last) < last)
        throw InputError(fmt::format("t is {}, the line before has {}", *line.t, last), line.where,
                         "lines must rise in t");
      last = line.t.value_or(last);
      run_.put(std::move(line));
    }
  }

  /// A line of stdin that cannot be used is told and noted; the run goes on without it.
  bool put_line(const std::string& text) {
    ++lines_;
    if (text.find_first_not_of(" \t\r") == std::string::npos) return false;
    try {
      InputLine line = parse_input_line(text, fmt::format("stdin:{}", lines_));
      if (steering_.rate.ticks == 0.0) {
        if (!line.t)
          throw InputError("the line has no t", line.where,
                           "give the simulated time at which it acts");
        if (*line.t < simulation().time())
          throw InputError(fmt::format("t is {}, the run is at {}", *line.t, simulation().time()),
                           line.where, "lines must rise in t");
      }
      last_t_ = line.t.value_or(last_t_);
      if (steering_.rate.ticks > 0.0)
        run_.announce(std::move(line));
      else
        run_.put(std::move(line));
      return true;
    } catch (const InputError& e) {
      tell(e);
      return false;
    }
  }

  void tell(const InputError& e) {
    fmt::print(stderr, "error: {} ({})\nhelp: {}\n", e.what(), e.where(), e.remedy());
    simulation().run().note(fmt::format("{}: a line was not used: {}", e.where(), e.what()));
  }

  /// An ordinary run never passes the time of the last line before it knows the next one.
  void drive_by_lines() {
    StandardInput input;
    while (!run_.is_over()) {
      const std::optional<std::string> text = input.next(interruption_);
      if (!text) return;
      if (put_line(*text)) go_on(last_t_, false);
    }
  }

  void drive_ticks() {
    std::optional<StandardInput> input;
    if (steering_.inputs == "-") input.emplace();
    const double until = simulation().model().run.until;
    TickLoop loop(run_, steering_.rate.ticks, until);
    const auto begin = Clock::now();
    const double from = simulation().time();
    while (!loop.is_over() && interruption_.reason().empty()) {
      const auto due = begin + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(loop.next_time() - from));
      std::this_thread::sleep_until(due -
                                    std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(1.0 / steering_.rate.ticks)));
      for (std::optional<std::string> text; input && (text = input->poll());) put_line(*text);
      loop.tick();
      if (Clock::now() > due) loop.note_lateness(seconds_since(due));
      for (const InputError& e : run_.take_refused()) tell(e);
      if (steering_.is_streaming) stream_.write(simulation());
      keep_checkpoint();
    }
    simulation().run().set_realtime(loop.summary());
  }

  /// To a time, in pieces where somebody looks or the run is kept; pieces change no bit. `to_end`: through the end.
  void go_on(double t, bool to_end) {
    const Model& model = simulation().model();
    const double sample = model.run.sample > 0.0 ? model.run.sample : model.run.until / 1000.0;
    const bool in_pieces =
        (steering_.is_streaming && steering_.rate.ticks == 0.0) || !steering_.checkpoint.empty();
    while (in_pieces && !run_.is_over()) {
      const double next = static_cast<double>(piece_) * sample;
      if (next > t) break;
      if (next >= simulation().time()) {
        run_.advance_until(next);
        if (steering_.is_streaming) stream_.write(simulation());
        keep_checkpoint();
      }
      ++piece_;
    }
    if (to_end)
      run_.advance_to_end();
    else
      run_.advance_until(t);
  }

  void keep_checkpoint() {
    if (steering_.checkpoint.empty() || run_.is_over()) return;
    if (seconds_since(kept_) < steering_.checkpoint_every) return;
    Checkpoint now = frame_;
    now.additions = simulation().additions();
    now.run = simulation().run().save();
    now.record = simulation().run().save_record();
    now.acted = run_.acted();
    now.waiting = run_.waiting();
    write_file_atomically(steering_.checkpoint, to_bytes(now));
    kept_ = Clock::now();
  }

  SteeredRun& run_;
  const Steering& steering_;
  const CheckpointFrame& frame_;
  const Interruption& interruption_;
  Stream stream_;
  int lines_ = 0;
  double last_t_ = 0.0;
  long piece_ = 0;
  Clock::time_point kept_ = Clock::now();
};

}  // namespace

Rate parse_rate(const std::string& text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  const std::string unit(stop, end);
  const std::string remedy =
      "use 1kHz or 500Hz (up to 100kHz) for fixed ticks, or a plain number such as 0.5 to pace the "
      "run in simulated seconds per second";
  if (problem != std::errc{} || (unit != "" && unit != "Hz" && unit != "kHz"))
    throw InputError("--realtime " + printable(text, 40) + " is no rate", "", remedy);
  if (!(number > 0.0) || !std::isfinite(number))
    throw InputError(fmt::format("--realtime is {}, must be positive", printable(text, 40)), "",
                     remedy);
  if (unit.empty()) return {.pace = number};
  const double ticks = unit == "kHz" ? 1000.0 * number : number;
  if (ticks > 1e5)
    throw InputError(fmt::format("--realtime {} is more than 100kHz", printable(text, 40)), "",
                     remedy);
  return {.ticks = ticks};
}

void drive(SteeredRun& run, const Steering& steering, const CheckpointFrame& frame,
           const Interruption& interruption) {
  Driver(run, steering, frame, interruption).drive();
}

}  // namespace clack::command
