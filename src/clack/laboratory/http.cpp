// SPDX-License-Identifier: Apache-2.0
#include "clack/laboratory/http.hpp"

#include "clack/module.hpp"

namespace clack {

void serve_http(int port, const HttpService& service) {
  module_function<void(int, const HttpService&)>("http", "clack_serve_http")(port, service);
}

}  // namespace clack
