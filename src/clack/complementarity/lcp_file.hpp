// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/complementarity/lcp.hpp"

namespace clack {

/// An LCP from a file: JSON {"M": [[row], ...], "q": [...]} (also "name", "note", "reference",
/// which are ignored), or the field's text  n, matrix, q  with anything after q ignored. JSON is
/// recognised by its first character `{`. Mistakes throw InputError with the place.
Lcp read_lcp_file(const std::string& path);

/// The same for text that is already in memory; `file` is only named in messages.
Lcp parse_lcp(const std::string& text, const std::string& file);

/// M (n x n) larger than this many numbers is refused before it is allocated: 1 GiB.
inline constexpr long long largest_lcp_entries = 1LL << 27;

}  // namespace clack
