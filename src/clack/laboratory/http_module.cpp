// SPDX-License-Identifier: Apache-2.0
// The HTTP server, by cpp-httplib.
#include <fmt/format.h>
#include <httplib.h>

#include <csignal>

#include "clack/error.hpp"
#include "clack/laboratory/http.hpp"

namespace clack {
namespace {

constexpr std::size_t largest_request = 4u << 20U;  // bytes
httplib::Server* served = nullptr;                  // that a signal ends

LabResponse answer_to(const httplib::Request& asked, const HttpService& service) {
  return service.answer({asked.method, asked.path, asked.body, asked.get_header_value("Host"),
                         asked.get_header_value("Origin")});
}

}  // namespace

extern "C" void clack_serve_http(int port, const HttpService& service) {
  httplib::Server server;
  server.set_payload_max_length(largest_request);
  const int opened = port > 0 ? (server.bind_to_port("127.0.0.1", port) ? port : -1)
                              : server.bind_to_any_port("127.0.0.1");
  if (opened <= 0)
    throw InputError(fmt::format("port {} cannot be opened", port), "",
                     "leave --port out: a free one is taken");
  const auto answer = [&service](const httplib::Request& asked, httplib::Response& given) {
    const LabResponse response = answer_to(asked, service);
    given.status = response.status;
    given.set_header("Cache-Control", "no-store");
    given.set_header("X-Content-Type-Options", "nosniff");
    given.set_header("X-Frame-Options", "SAMEORIGIN");
    given.set_header("Cross-Origin-Resource-Policy", "same-origin");
    given.set_content(response.body, response.type.c_str());
  };
  server.Get(".*", answer);
  server.Post(".*", answer);
  served = &server;
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int) {
      if (served != nullptr) served->stop();
    });
  service.ready(opened);
  server.listen_after_bind();
  served = nullptr;
}

}  // namespace clack
