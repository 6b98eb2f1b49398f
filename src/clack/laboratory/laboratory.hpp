// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace clack {

struct LabRequest {
  std::string method, path, body;
  std::string host, origin;  // headers; an empty origin: none was sent
};

struct LabResponse {
  int status = 200;
  std::string type = "application/json", body;
};

/// Bounds of one run and of what is kept.
struct LabLimits {
  double seconds = 20.0;    // of the clock
  double rows = 400'000.0;  // until / sample
  long events = 100'000;
  std::size_t text = 1u << 20;  // bytes of a model
  std::size_t kept_runs = 8;
};

/// A model file as the page shows it first.
struct LabModel {
  std::string text, name;  // "rod.yaml"
  std::string folder;      // in which files that it names must lie
};

/// What `clack serve` answers (README.md). Any number of threads may ask at the same time.
class Laboratory {
 public:
  /// `address`: "127.0.0.1:PORT", of which requests must come.
  Laboratory(LabModel model, std::string address, LabLimits limits = {});
  ~Laboratory();

  LabResponse answer(const LabRequest& request);
  /// Ends the run that is going on, if one is.
  void cancel() { ++newest_; }

 private:
  struct Run;
  LabResponse check(const std::string& body) const;
  LabResponse run(const std::string& body);
  LabResponse file(const std::string& path);
  LabResponse compare(const std::string& path);
  std::shared_ptr<const Run> find(const std::string& number);

  LabModel model_;
  std::string address_;
  LabLimits limits_;
  std::atomic<long> newest_ = 0;  // a run with a lower number is to end
  std::mutex runs_lock_;
  std::deque<std::shared_ptr<const Run>> runs_;
};

}  // namespace clack
