// Preparation: what of a record counts, and after how many products it is paid for.
#include "core/run/preparation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpspy {
namespace {

struct Recorded {
  const char* name;
  const char* format;
  std::optional<double> conversion, setup;
  Purpose purpose;
  Provenance from;
  std::optional<double> us;
  const char* reason;  // a part of it
};
constexpr Provenance kMeasured = Provenance::measured, kModelled = Provenance::modelled;
const Recorded kRecorded[] = {
    {"both", "ell", 400, 100, Purpose::asked, kMeasured, 500, ""},
    {"a kernel that prepares nothing", "ell", 400, {}, Purpose::final, kMeasured, 400, ""},
    {"the matrix is there as CSR", "csr", 400, 100, Purpose::asked, kModelled, 100, ""},
    {"and needs nothing", "csr", 400, {}, Purpose::asked, kModelled, 0, ""},
    {"without a matrix", "", {}, {}, Purpose::asked, kMeasured, 0, ""},
    {"an older record", "ell", {}, {}, Purpose::asked, kMeasured, {}, "did not record its conversion"},
    {"its setup alone", "ell", {}, 100, Purpose::asked, kMeasured, {}, "did not record its conversion"},
    {"a trial on a device", "ell", 400, {}, Purpose::trial, kMeasured, {}, "a trial of a search"},
    {"a trial in the emulator", "ell", 400, {}, Purpose::trial, kModelled, 400, ""},
    {"no number", "ell", std::nan(""), {}, Purpose::asked, kMeasured, {}, "no numbers"},
    {"less than nothing", "ell", -1, {}, Purpose::asked, kMeasured, {}, "no numbers"},
};

TEST(Preparation, IsConversionAndSetupWhereTheRecordHasThem) {
  FormatInfo csr, ell;
  csr.id = "csr", csr.intermediate = true, ell.id = "ell";
  for (const Recorded& c : kRecorded) {
    SCOPED_TRACE(c.name);
    RunRecord r;
    r.status = RunStatus::ok, r.format = c.format, r.purpose = c.purpose, r.provenance = c.from;
    if (c.conversion) r.details.push_back({"conversion", "", {*c.conversion, "us", Provenance::measured}});
    if (c.setup) r.details.push_back({"setup", "", {*c.setup, "us", Provenance::measured}});
    const FormatInfo* format = r.format.empty() ? nullptr : r.format == "csr" ? &csr : &ell;
    const PreparationTime t = preparation_of(r, format);
    EXPECT_EQ(t.us, c.us);
    EXPECT_NE(t.reason.find(c.reason), std::string::npos) << t.reason;
    EXPECT_EQ(t.reason.empty(), t.us.has_value()) << "what is missing has a reason, what is there has none";
    if (t.us) {
      EXPECT_EQ(t.conversion_us + t.setup_us, *t.us);
    }
  }
}

TEST(Preparation, IsPaidForAfterSoManyProducts) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const struct {
    ProductCost cost, base;
    std::optional<double> after;
  } cases[] = {{{120, 3}, {0, 5}, 60}, {{120, 3}, {20, 5}, 50},  {{0, 3}, {0, 5}, 0},
               {{10, 3}, {50, 5}, 0},  {{120, 5}, {0, 5}, {}},   {{120, 6}, {0, 5}, {}},
               {{nan, 3}, {0, 5}, {}}, {{120, 3}, {0, nan}, {}}, {{120, 3}, {0, inf}, {}}};
  for (const auto& c : cases) EXPECT_EQ(pays_off_after(c.cost, c.base), c.after) << c.cost.preparation;
  EXPECT_EQ((ProductCost{120, 3}.total(60)), (ProductCost{0, 5}.total(60))) << "there they are equal";
}

TEST(Preparation, InProducts) {
  EXPECT_EQ(in_products(500, 20), 25);
  EXPECT_EQ(in_products(0, 20), 0);
  EXPECT_FALSE(in_products(500, 0));
  EXPECT_FALSE(in_products(std::nan(""), 20));
}

}  // namespace
}  // namespace warpspy
