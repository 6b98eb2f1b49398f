#include "clack/hybrid/domain_check.hpp"

#include <filesystem>

#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

TEST(DomainCheck, HoldsAlongEveryModelOfTheGallery) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CLACK_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  std::size_t rows = 0;
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    Model model = read_model(file);
    model.run.until =
        std::min(model.run.until, 1.5);  // long enough for every kind of event of the gallery
    if (model.contacts.size() > 12) {    // every row evaluates every candidate
      model.run.until = std::min(model.run.until, 0.05);
      model.run.sample = model.run.until / 20.0;
    }
    const Trace trace = run(model);
    const DomainReport report = check_domains(model, trace);
    rows += report.rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(report.violations.size(), 5); ++i) {
      const DomainViolation& v = report.violations[i];
      ADD_FAILURE() << "t = " << v.t << ", contact "
                    << model.contacts[static_cast<std::size_t>(v.contact)].name << ": "
                    << v.condition << " broken by " << v.size;
    }
  }
  EXPECT_GT(rows, 1000U);
}

TEST(DomainCheck, SeesAStateOutsideItsDomain) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/slide-to-roll/slide-to-roll.yaml");
  Trace trace = run(model);
  ASSERT_TRUE(check_domains(model, trace).violations.empty());
  const std::size_t tangent = 1 + trace.coordinates.size() + trace.speeds.size() + 2;
  Trace wrong = trace;
  wrong.rows[tangent] *= -1.0;  // friction along the slip
  ASSERT_FALSE(check_domains(model, wrong).violations.empty());
  EXPECT_EQ(check_domains(model, wrong).violations[0].condition, "slip: phi_T . gamma_T <= 0");
  wrong = trace;
  wrong.rows[tangent - 1] *= -1.0;
  EXPECT_FALSE(check_domains(model, wrong).violations.empty());
  wrong = trace;
  wrong.modes[0].statuses[0] = ContactStatus::stick;
  EXPECT_FALSE(check_domains(model, wrong).violations.empty());
}

}  // namespace
}  // namespace clack
