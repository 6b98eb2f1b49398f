// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/hybrid/simulation.hpp"

namespace clack {

/// A run between two steps with everything that it needs to go on elsewhere: the model as it was read, what came from outside,
/// state and memories to the last bit, and the trace so far.
struct Checkpoint {
  std::string model_text, model_file;
  std::vector<Override> overrides;
  bool node_trace = false, project = false;  // as in RunOptions
  int histories = 0;
  std::vector<ModelAddition> additions;
  SavedRun run;
  SavedRecord record;
  std::vector<std::string> acted,
      waiting;      // lines from outside that have acted, and that are still to come
  std::string out;  // folder of the results
  bool hdf5 = false;
};

/// A header line (format and version), the data and a checksum.
std::string to_bytes(const Checkpoint& checkpoint);
/// Throws InputError for what is no checkpoint, one of another version, and one that is damaged. `file` is named in messages.
Checkpoint checkpoint_from(const std::string& bytes, const std::string& file);

/// The run that goes on from it. Throws InputError when the model cannot be read again (a file that it names has gone).
std::unique_ptr<Simulation> resumed(const Checkpoint& checkpoint, const RunOptions& options);

}  // namespace clack
