// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/trace/trace.hpp"

namespace clack {

/// Writes trace.csv, events.json, report.html (`report_html`), model.yaml, and histories.json where
/// there are histories, into `folder`, which
/// is made when it is not there. Each file is there completely or not at all. Throws InputError
/// when the folder cannot be written.
void write_run_folder(const Trace& trace, const std::string& folder,
                      const std::string& report_html);

/// Makes a folder and those above it; throws InputError.
void make_folder(const std::string& folder);

}  // namespace clack
