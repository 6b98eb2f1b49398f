// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace clack {

/// What a contact does. `trans` (zero slip, non-zero slip acceleration) lasts zero time: a mode holds
/// only open, stick and slip.
enum class ContactStatus { open, stick, trans, slip };

constexpr std::string_view to_string(ContactStatus status) {
  switch (status) {
    case ContactStatus::open:
      return "open";
    case ContactStatus::stick:
      return "stick";
    case ContactStatus::trans:
      return "trans";
    case ContactStatus::slip:
      return "slip";
  }
  return "";
}

}  // namespace clack
