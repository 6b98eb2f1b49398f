// SPDX-License-Identifier: Apache-2.0
#include "clack/laboratory/laboratory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

namespace clack {
namespace {

using Json = nlohmann::json;

const std::string ball =
    "clack: 1\nname: \"a </textarea><script>alert(1)</script> ball\"\nparameters: {h: 1, g: "
    "10}\ngravity: [0, -g]\nbodies:\n"
    "  ball: {mass: 1, inertia: 1, position: [0, h], shape: {disk: {radius: 0.1}}}\n"
    "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n"
    "contacts: {c: {between: [ball, floor]}}\nrun: {until: 1}\n";
const std::string here = "127.0.0.1:4711";

struct Asked {
  int status = 0;
  std::string body;
  Json json() const { return Json::parse(body); }
};
Asked ask(Laboratory& lab, const std::string& method, const std::string& path,
          const std::string& body = "") {
  const LabResponse response = lab.answer({method, path, body, here, ""});
  return {response.status, response.body};
}
std::string run_body(const std::string& text, const Json& more = Json::object()) {
  Json body = more;
  body["text"] = text;
  return body.dump();
}

TEST(Laboratory, ShowsTheModelAndNothingOfItBecomesMarkup) {
  Laboratory lab({ball, "ball.yaml", "."}, here);
  const Asked page = ask(lab, "GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("name: &quot;a &lt;/textarea&gt;"), std::string::npos);
  EXPECT_EQ(page.body.find("<script>alert"), std::string::npos);
}

TEST(Laboratory, SaysAtWhichLineAModelIsWrong) {
  Laboratory lab({ball, "ball.yaml", "."}, here);
  std::string broken = ball;
  broken.replace(broken.find("[0, h]"), 6, "[0, hh]");
  const Json wrong = ask(lab, "POST", "/check", run_body(broken)).json();
  ASSERT_EQ(wrong.at("errors").size(), 1u);
  EXPECT_EQ(wrong["errors"][0].at("line"), 6);
  EXPECT_NE(wrong["errors"][0].at("help"), "");
  const Json right = ask(lab, "POST", "/check", run_body(ball)).json();
  EXPECT_TRUE(right.at("errors").empty());
  EXPECT_EQ(right.at("parameters")[0], (Json{{"name", "h"}, {"value", 1.0}}));
}

TEST(Laboratory, RunsWithTheSlidersAsTheyStand) {
  Laboratory lab({ball, "ball.yaml", "."}, here);
  const Json low = ask(lab, "POST", "/run", run_body(ball, {{"set", {{"h", 0.15}}}})).json();
  EXPECT_EQ(low.at("status"), "done");
  const std::string number = std::to_string(low.at("run").get<long>());
  const Json events = ask(lab, "GET", "/runs/" + number + "/events.json").json();
  // from 0.15 m to 0.1 m at 10 m/s2: 0.1 s
  double hit = 0.0;
  for (const Json& event : events.at("events"))
    if (event.at("kind") == "impact" && hit == 0.0) hit = event.at("t");
  EXPECT_NEAR(hit, 0.1, 1e-9);
  EXPECT_NE(ask(lab, "GET", "/runs/" + number + "/report.html").body.find("id=\"stage\""),
            std::string::npos);
  EXPECT_EQ(ask(lab, "GET", "/runs/" + number + "/trace.csv").body.substr(0, 2), "t,");
  const Json high = ask(lab, "POST", "/run", run_body(ball, {{"theory", "newton"}})).json();
  const Asked both =
      ask(lab, "GET", "/compare/" + number + "/" + std::to_string(high.at("run").get<long>()));
  EXPECT_NE(both.body.find("stage-1"), std::string::npos);
}

TEST(Laboratory, RefusesOtherHostsAndOrigins) {
  Laboratory lab({ball, "ball.yaml", "."}, here);
  const auto status = [&](const std::string& host, const std::string& origin) {
    return lab.answer({"GET", "/", "", host, origin}).status;
  };
  EXPECT_EQ(status(here, ""), 200);
  EXPECT_EQ(status("localhost:4711", "http://localhost:4711"), 200);
  EXPECT_EQ(status("example.org:4711", ""), 403);
  EXPECT_EQ(status("", ""), 403);
  EXPECT_EQ(status(here, "http://example.org"), 403);
  EXPECT_EQ(status(here, "null"), 403);
  EXPECT_EQ(status(here, "http://127.0.0.1:4712"), 403);
}

TEST(Laboratory, ReadsNoFileOutsideItsFolder) {
  const std::filesystem::path top =
                                  std::filesystem::temp_directory_path() / "clack-laboratory-test",
                              inside = top / "inside";
  std::filesystem::create_directories(inside);
  for (const auto& file : {top / "secret.csv", inside / "part.csv"})
    std::ofstream(file) << "0, 0\n1, 0\n0, 1\n";
  std::error_code problem;
  std::filesystem::create_symlink(top / "secret.csv", inside / "link.csv", problem);
  Laboratory lab({ball, "ball.yaml", inside.string()}, here);
  const auto errors = [&](const std::string& file) {
    const std::string text = "clack: 1\nbodies: {b: {density: 1, shape: {polygon: {file: " + file +
                             "}}}}\nrun: {until: 0.1}\n";
    return ask(lab, "POST", "/check", run_body(text)).json().at("errors").dump();
  };
  EXPECT_EQ(errors("part.csv"), "[]");
  for (const std::string& outside :
       {std::string("../secret.csv"), (top / "secret.csv").string(), std::string("link.csv"),
        std::string("\"\\x2e\\x2e/secret.csv\""), std::string("../inside/../secret.csv")})
    EXPECT_NE(errors(outside).find("outside the folder"), std::string::npos)
        << outside << errors(outside);
  std::filesystem::remove_all(top);
}

TEST(Laboratory, ANewerRunEndsTheOlderOne) {
  Laboratory lab({ball, "ball.yaml", "."}, here);
  std::string endless = ball;  // a stiff spring over eleven hours takes its time
  endless.replace(endless.find("until: 1"), 8, "until: 40000, sample: 0.5");
  endless.replace(endless.find("gravity: [0, -g]"), 16, "gravity: [0, 0]  ");
  endless.replace(endless.find("[0, h]"), 6, "[0, 9]");
  endless += "springs: [{between: [ball, floor], stiffness: 1e5, rest: 1}]\n";
  Asked old;
  std::thread thread([&] { old = ask(lab, "POST", "/run", run_body(endless)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(ask(lab, "POST", "/run", run_body(ball)).json().at("status"), "done");
  thread.join();
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 10.0);
  EXPECT_EQ(old.status, 409) << old.body;
}

TEST(Laboratory, EndsARunAtItsLimits) {
  LabLimits limits;
  limits.rows = 2000.0;
  Laboratory lab({ball, "ball.yaml", "."}, here, limits);
  EXPECT_EQ(ask(lab, "POST", "/run", run_body(ball)).status, 200);
  std::string fine = ball;
  fine.replace(fine.find("until: 1"), 8, "until: 1, sample: 1e-4");
  EXPECT_EQ(ask(lab, "POST", "/run", run_body(fine)).status, 413);
  limits.text = 10;
  Laboratory small({ball, "ball.yaml", "."}, here, limits);
  EXPECT_EQ(ask(small, "POST", "/run", run_body(ball)).status, 413);
}

TEST(Laboratory, AHundredBadRequestsChangeNothing) {
  Laboratory lab({ball, "ball.yaml", "."}, here);
  const std::string number =
      std::to_string(ask(lab, "POST", "/run", run_body(ball)).json().at("run").get<long>());
  const std::string before = ask(lab, "GET", "/runs/" + number + "/report.html").body;
  const std::vector<std::string> bodies{"",
                                        "{",
                                        "[]",
                                        "null",
                                        "{\"text\":1}",
                                        "{\"text\":\"\"}",
                                        "{\"text\":\"clack: 1\",\"set\":3}",
                                        "{\"text\":\"clack: 1\",\"set\":{\"x\":\"y\"}}",
                                        std::string(300, '['),
                                        "{\"text\":\"\\u0000\"}"};
  const std::vector<std::string> paths{"/run",
                                       "/check",
                                       "/runs/",
                                       "/runs/../../etc/passwd",
                                       "/runs/1/../1/report.html",
                                       "/compare/1",
                                       "/compare/1/x",
                                       "//",
                                       "/run/",
                                       "/runs/99999999999999999999/trace.csv"};
  for (const std::string& body : bodies)
    for (const std::string& path : paths) {
      const bool is_post = path == "/run" || path == "/check";
      const Asked asked = ask(lab, is_post ? "POST" : "GET", path, body);
      EXPECT_TRUE(asked.status >= 400 || asked.json().contains("errors"))
          << path << " " << body << " " << asked.body;
      EXPECT_NE(asked.status, 500) << path << " " << body << " " << asked.body;
    }
  EXPECT_EQ(ask(lab, "GET", "/runs/" + number + "/report.html").body, before);
}

}  // namespace
}  // namespace clack
