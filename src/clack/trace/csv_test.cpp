// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/csv.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "clack/error.hpp"
#include "clack/trace/example_trace.hpp"

namespace clack {
namespace {

Trace one_column(const std::vector<double>& values) {
  Trace trace;
  trace.columns = {"t"};
  trace.csv_columns = 1;
  trace.rows = values;
  return trace;
}

TEST(TraceCsv, HasTheColumnsOfAModelFileAndNoEnergies) {
  const std::string csv = trace_csv(ExampleTrace::make());
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "t,y_M,phi_M,phi_S,y_M_dot,phi_M_dot,phi_S_dot,gap_beak,normal_beak,tangent_beak,"
            "gap_lower,normal_lower,tangent_lower,gap_upper,normal_upper,tangent_upper");
}

TEST(TraceCsv, WritesNumbersAsPrintfWithSeventeenDigits) {
  std::mt19937_64 random(7);
  std::vector<double> values = {0.0,  -0.0, 1.0, 0.1, 1e300, 5e-324, 123456789012345678.0,
                                1e17, 1e16, 1e-5};
  while (values.size() < 5000) {
    const std::uint64_t bits = random();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  std::string expected = "t\n";
  char text[64];
  for (const double value : values) {
    std::snprintf(text, sizeof text, "%.17g\n", value);
    expected += text;
  }
  EXPECT_EQ(trace_csv(one_column(values)), expected);
}

TEST(TraceCsv, GivesTheSameBitsWhenReadBack) {
  const Trace trace = ExampleTrace::make();
  const CsvTable table = parse_csv(trace_csv(trace), "trace.csv");
  ASSERT_EQ(table.columns.size(), trace.csv_columns);
  ASSERT_EQ(table.values[0].size(), trace.row_count());
  for (std::size_t row = 0; row < trace.row_count(); ++row)
    for (std::size_t k = 0; k < trace.csv_columns; ++k)
      EXPECT_EQ(table.values[k][row], trace.rows[row * trace.columns.size() + k]);
}

TEST(TraceCsv, WritesEveryNanAlike) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(trace_csv(one_column({nan, -nan, std::copysign(nan, -1.0)})), "t\nnan\nnan\nnan\n");
  EXPECT_TRUE(std::isnan(parse_csv("t\nnan\n\n", "f").values[0][0]));
}

TEST(TraceCsv, QuotesNamesWithCommas) {
  Trace trace = one_column({1.0});
  trace.columns = {"a,\"b\""};
  const std::string csv = trace_csv(trace);
  EXPECT_EQ(csv, "\"a,\"\"b\"\"\"\n1\n");
  EXPECT_EQ(parse_csv(csv, "f").columns[0], "a,\"b\"");
}

TEST(TraceCsv, IsEmptyForAnEmptyTrace) { EXPECT_EQ(trace_csv(Trace{}), ""); }

TEST(CsvTable, NamesTheNearestColumn) {
  const CsvTable table = parse_csv("t,phi_M\n0,1\n", "f");
  EXPECT_EQ(table.column("phi_M"), std::vector<double>{1.0});
  try {
    (void)table.column("phi_m");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(e.remedy().find("did you mean phi_M"), std::string::npos) << e.remedy();
  }
}

TEST(CsvTable, RefusesBrokenLinesWithTheirNumber) {
  const auto where = [](const std::string& text) {
    try {
      (void)parse_csv(text, "f.csv");
    } catch (const InputError& e) {
      return e.where();
    }
    return std::string("no error");
  };
  EXPECT_EQ(where("t,x\n0,1\n1\n"), "f.csv:3");
  EXPECT_EQ(where("t,x\n0,one\n"), "f.csv:2");
  EXPECT_EQ(where("t,x\n0,1 2\n"), "f.csv:2");
  EXPECT_EQ(where(""), "f.csv");
}

}  // namespace
}  // namespace clack
