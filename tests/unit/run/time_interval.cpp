// The interval of a modelled time, as a record tells it.
#include "core/run/time_interval.hpp"

#include <gtest/gtest.h>

namespace warpspy {
namespace {

RunRecord modelled(const char* label, double us) {
  RunRecord r;
  r.status = RunStatus::ok;
  r.kernel_label = label;
  r.time = {us, "us", Provenance::modelled};
  return r;
}

TEST(TimeInterval, GoesThroughJson) {
  RunRecord r = modelled("CSR vector", 10);
  tell_interval(r, {9.5, 11.5, 50, "CSR vector, f32, cold"});
  const auto back = interval_of(record_from_json(to_json(r)));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->lower_us, 9.5);
  EXPECT_EQ(back->upper_us, 11.5);
  EXPECT_EQ(back->samples, 50u);
  EXPECT_EQ(back->like, "CSR vector, f32, cold");
  EXPECT_EQ(interval_text(r), "9.5 to 11.5 us, from 50 measured products (CSR vector, f32, cold)");
}

TEST(TimeInterval, IsUnavailableWithAReason) {
  RunRecord r = modelled("CSR vector", 10);
  EXPECT_EQ(interval_text(r), "unavailable: the run did not record it");
  RunRecord told = r;
  tell_no_interval(told, "nothing was measured");
  const RunRecord back = record_from_json(to_json(told));
  EXPECT_FALSE(interval_of(back));
  EXPECT_EQ(interval_text(back), "unavailable: nothing was measured");
  r.solve.emplace();
  EXPECT_EQ(why_no_interval(r), "intervals are of single products on one GPU");
  r.time.provenance = Provenance::measured;
  EXPECT_EQ(interval_text(r), "") << "a measured time has its noise";
}

TEST(TimeInterval, TellsTwoRunsApartOnlyIfTheyDoNotOverlap) {
  RunRecord a = modelled("ELL", 10), b = modelled("HYB", 12), far = modelled("COO", 40);
  EXPECT_EQ(why_not_told_apart(a, b), "") << "without intervals nothing is said";
  tell_interval(a, {9, 11.5, 50, ""});
  tell_interval(b, {11, 14, 50, ""});
  tell_interval(far, {30, 50, 50, ""});
  EXPECT_EQ(
      why_not_told_apart(a, b),
      "may take 9 to 11.5 \xC2\xB5s, and HYB may take 11 to 14 \xC2\xB5s: the model does not tell which is faster");
  EXPECT_EQ(why_not_told_apart(a, far), "");
  EXPECT_EQ(why_not_told_apart(far, a), "");
  b.time = {11.2, "us", Provenance::measured};
  EXPECT_EQ(why_not_told_apart(b, a),
            "takes 11.2 \xC2\xB5s, and ELL may take 9 to 11.5 \xC2\xB5s: the model does not tell which is faster");
  a.time.provenance = Provenance::measured;
  EXPECT_EQ(why_not_told_apart(b, a), "") << "noise decides of measured times (compare.hpp)";
}

}  // namespace
}  // namespace warpspy
