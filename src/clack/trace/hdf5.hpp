// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack {

/// trace.h5: all columns (also the energies) as one-dimensional datasets /trace/NAME of doubles
/// ('/' in a name becomes
/// '|'), events as /events/t, /events/kind (numbers, named by the attribute `kinds`), the inside of impacts as
/// /impacts/N/COLUMN (N as in events.json; attribute t), the closed contacts of pairs as /contacts/COLUMN (as in
/// contacts.csv; contacts are numbers in the attribute `names`), jams as /jams/t and load_factor; attributes of
/// the file: model, theory, formulation, decision, impact, integrator, status, tolerance, until,
/// energy ledger. No time stamps: two runs give the same bytes. The file is there completely or not
/// at all; throws InputError.
void write_hdf5(const Trace& trace, const std::string& path);

/// Columns of equal length under names such as /axes/mu, one level deep, and texts as attributes of the file.
struct Hdf5Table {
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<std::pair<std::string, std::vector<double>>> numbers;
  std::vector<std::pair<std::string, std::vector<int>>> counts;
};

/// As write_hdf5: complete or not at all, no time stamps.
void write_hdf5_table(const Hdf5Table& table, const std::string& path);

}  // namespace clack
