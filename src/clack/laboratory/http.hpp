// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "clack/laboratory/laboratory.hpp"

namespace clack {

/// What an HTTP server asks; all may be called from several threads, `ready` once, with the port.
struct HttpService {
  std::function<LabResponse(const LabRequest&)> answer;
  std::function<void(int port)> ready;
};

/// Listens on the loopback address until SIGINT or SIGTERM. Port 0: a free one. Throws InputError when the port cannot be
/// opened.
void serve_http(int port, const HttpService& service);

}  // namespace clack
