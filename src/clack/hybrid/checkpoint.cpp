// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/checkpoint.hpp"

#include <fmt/format.h>

#include "clack/hybrid/trace_archive.hpp"

namespace clack {
namespace {

constexpr std::string_view magic = "clack checkpoint ";
constexpr int format_version = 3;  // grows with every change of what is written

/// FNV-1a: every single changed byte changes it.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

template <class A>
void fields(A& a, Like<Override> auto& x) {
  auto& [name, formula] = x;
  a(name, formula);
}
template <class A>
void fields(A& a, Like<SavedRecord> auto& x) {
  auto& [trace, given_impacts] = x;
  a(trace, given_impacts);
}

template <class A>
void all_fields(A& a, Like<Checkpoint> auto& x) {
  auto& [model_text, model_file, overrides, node_trace, project, histories, additions, run, record,
         acted, waiting, out, hdf5] = x;
  a(model_text, model_file);
  std::size_t count = overrides.size();
  a(count);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(overrides)>>)
    overrides.resize(count);
  for (auto& one : overrides) fields(a, one);
  a(node_trace, project, histories, additions, run);
  fields(a, record);
  a(acted, waiting, out, hdf5);
}

std::string header() { return fmt::format("{}{}\n", magic, format_version); }

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  ArchiveWriter writer;
  all_fields(writer, checkpoint);
  const std::uint64_t sum = checksum(writer.bytes());
  std::string bytes = header() + writer.bytes();
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

Checkpoint checkpoint_from(const std::string& bytes, const std::string& file) {
  if (!std::string_view(bytes).starts_with(magic))
    throw InputError("this is no checkpoint", file,
                     "give a file that clack run --checkpoint wrote");
  const std::size_t line = bytes.find('\n');
  if (bytes.substr(0, line) + "\n" != header())
    throw InputError(
        fmt::format("the checkpoint has format {}, this program writes and reads {}",
                    bytes.substr(magic.size(),
                                 std::min<std::size_t>(line, magic.size() + 20) - magic.size()),
                    format_version),
        file, "resume it with the program that wrote it");
  std::string_view data = std::string_view(bytes).substr(line + 1);
  ArchiveReader none({}, file);
  std::uint64_t sum = 0;
  if (data.size() < sizeof sum) none.refuse();
  std::memcpy(&sum, data.data() + data.size() - sizeof sum, sizeof sum);
  data.remove_suffix(sizeof sum);
  if (checksum(data) != sum) none.refuse();
  ArchiveReader reader(data, file);
  Checkpoint checkpoint;
  all_fields(reader, checkpoint);
  if (!reader.is_at_end()) reader.refuse();
  return checkpoint;
}

std::unique_ptr<Simulation> resumed(const Checkpoint& checkpoint, const RunOptions& options) {
  RunOptions own = options;
  own.node_trace = checkpoint.node_trace;
  own.project = checkpoint.project;
  own.histories = checkpoint.histories;
  return Simulation::resumed(load_model_text(checkpoint.model_text, checkpoint.model_file,
                                             checkpoint.overrides, own.parts),
                             own, checkpoint.additions, checkpoint.run, checkpoint.record);
}

}  // namespace clack
