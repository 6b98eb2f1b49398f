// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/study/record.hpp"

namespace clack::study {

/// study.html: what a study shows (all_views), as one page without requests. A click on a cell of a map shows its values and
/// the command that runs it again.
std::string study_page(const StudyRecord& record);

}  // namespace clack::study
