// SPDX-License-Identifier: Apache-2.0
#include "clack/study/record.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "clack/study/study_files.hpp"
#include "clack/study/sweep.hpp"
#include "clack/study/table.hpp"

namespace clack::study {
namespace {

StudyRecord record_for(const StudyFolder& folder, const std::string& sections) {
  const Study study = read_study(folder.study(sections));
  std::vector<CaseResult> results;
  sweep(study, results, {});
  return record_of(study, results);
}

const std::string followed =
    "axes: {v: [1, 2, 3], e: [0.1, 0.2]}\nfollow: v\nkeep: {end: {final: y}, hits: {value: t, at: "
    "impact, last: 2}, lost: {energy: dissipated}}\n"
    "classify: [{high: end - 0.1}, {low: otherwise}]\n";

TEST(StudyRecord, IsReadBackFromItsDocument) {
  const StudyFolder folder("record-back");
  const StudyRecord record = record_for(folder, followed);
  const std::string path = folder.write("results.json", results_json(record));
  EXPECT_EQ(results_json(read_record(path)), results_json(record));
  EXPECT_EQ(results_csv(read_record(path)), results_csv(record));
}

TEST(StudyRecord, KnowsUnitsFromTheModelAndOfWhatIsKept) {
  const StudyFolder folder("record-units");
  folder.write(
      "ball.yaml",
      "clack: 1\ndimension: 2\nparameters: {v: {value: 2, unit: m/s}, e: 0.5}\ngravity: [0, -10]\n"
      "coordinates: {y: {start: 0, rate: v, unit: m}}\nbodies: {ball: {mass: 1, position: [0, "
      "y]}}\n"
      "contacts: {ground: {gap: y, restitution: e}}\nrun: {until: 0.5, theory: newton}\n");
  const StudyRecord record = record_for(folder,
                                        "axes: {v: [1], y_0: [0.1], e: [0.2]}\nkeep: {end: {final: "
                                        "y}, fast: {max: y_dot}, push: {max: normal_ground},"
                                        " when: {value: t, at: impact}, own: {final: 3*y, unit: "
                                        "cm}, lost: {energy: dissipated}, n: {count: impact}}\n");
  EXPECT_EQ(record.axes[0].unit, "m/s");
  EXPECT_EQ(record.axes[1].unit, "m");
  EXPECT_EQ(record.axes[2].unit, "");
  std::vector<std::string> units;
  for (const KeptRecord& kept : record.keep) units.push_back(kept.unit);
  EXPECT_EQ(units, (std::vector<std::string>{"m", "m/s", "N", "s", "cm", "J", ""}));
}

std::vector<double> numbers_in(hid_t file, const char* name) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  if (set < 0) return {};
  const hid_t space = H5Dget_space(set);
  std::vector<double> values(H5Sget_simple_extent_npoints(space));
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

TEST(StudyRecord, StandsInHdf5AsInTheTable) {
  const StudyFolder folder("record-hdf5");
  const StudyRecord record = record_for(folder, followed);
  write_results_hdf5(record, folder.path("results.h5"));
  const hid_t file = H5Fopen(folder.path("results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(numbers_in(file, "/axes/v"), (std::vector<double>{1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(numbers_in(file, "/direction").back(), -1.0);
  EXPECT_EQ(numbers_in(file, "/case").size(), 12u);
  EXPECT_EQ(numbers_in(file, "/results/lost"), record.column(3));
  EXPECT_EQ(numbers_in(file, "/results/end"), record.column(0));
  H5Fclose(file);
}

}  // namespace
}  // namespace clack::study
