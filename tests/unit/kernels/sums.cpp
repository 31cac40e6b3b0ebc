// Sums over lanes, which the emulator does at one meeting, against the shuffles and additions that they stand for.
#include "tests/unit/kernels/simt.hpp"

namespace warpspy::simt {
namespace {

template <class Body>
struct Planted {
  Body body;
  void operator()(Thread t) const { body(t); }
};

// What both write to `out`, one element per lane, and what the warp counted.
template <class Sum, class Shuffles>
void expect_same(const std::string& what, const Sum& sum, const Shuffles& shuffles) {
  std::vector<float> got(32), expected(32);
  Bench bench;
  const auto g = bench.array("got", got), e = bench.array("expected", expected);
  const auto run = [&](const Array<float>& out, const auto& kernel) {
    return bench.run(Planted{[=](Thread t) {
      const float value = 1.f / static_cast<float>(3 + t.thread);
      st(out, t.thread, kernel(t.thread, value));
    }});
  };
  const WarpTrace one = run(g, sum).warps[0], many = run(e, shuffles).warps[0];
  EXPECT_EQ(got, expected) << what;  // to the last bit: the same additions in the same order
  EXPECT_EQ(one.warp_steps, many.warp_steps) << what;
  EXPECT_EQ(one.lane_steps, many.lane_steps) << what;
}

TEST(Sums, AreWhatTheirShufflesAddUpTo) {
  for (int width = 1; width <= 32; width *= 2)
    expect_same(
        "down " + std::to_string(width), [=](int, float v) { return sum_down(v, width); },
        [=](int, float v) {
          for (int d = width / 2; d > 0; d /= 2) v += shfl_down(v, d, width);
          return v;
        });
  expect_same(
      "xor", [](int, float v) { return sum_xor(v); },
      [](int, float v) {
        for (int d = 16; d > 0; d /= 2) v += shfl_xor(v, d);
        return v;
      });
  for (std::uint32_t heads : {1u, 0xffffffffu, 0x80000001u, 0x00501011u})
    expect_same(
        "segments " + std::to_string(heads), [=](int lane, float v) { return sum_segments(v, lane, heads); },
        [=](int lane, float v) {
          for (int d = 1; d < 32; d *= 2) {
            const float before = shfl_up(v, d);
            if (heads << (31 - lane) >> (32 - d) == 0) v += before;
          }
          return v;
        });
  for (int width : {16, 32})
    for (int stride : {1, 3, 9, 16, 32}) {
      const int count = width / stride;
      expect_same(
          "strided " + std::to_string(stride) + " of " + std::to_string(width),
          [=](int lane, float v) { return sum_strided(v, lane % width, stride, count, width); },
          [=](int lane, float v) {
            for (int s = 16; s > 0; s /= 2) {
              if (s >= count || s * stride >= width) continue;
              const float other = shfl_down(v, s * stride);
              if (lane % width / stride + s < count) v += other;
            }
            return v;
          });
    }
}

TEST(Sums, APairIsTwoShuffles) {
  const auto both = [](auto second) {
    expect_same(
        "pair",
        [=](int lane, float v) {
          const auto [a, b] = shfl_pair(v, second + lane, 5);
          return a + static_cast<float>(b);
        },
        [=](int lane, float v) {
          const float a = shfl(v, 5);
          return a + static_cast<float>(shfl(second + lane, 5));
        });
  };
  both(7);
  both(7.0);  // both do not fit into a word
}

// The error of the first of their shuffles that asks a lane that has left: who asks, and who is asked.
TEST(Sums, NameALaneThatLeft) {
  const auto error_of = [](const auto& kernel) {
    Bench bench;
    return bench.error_of(Planted{[=](Thread t) {
      if (t.thread == 9) return;
      kernel();
    }});
  };
  const Error xored = error_of([] { sum_xor(1); });
  EXPECT_NE(xored.reason.find("from lane 9, which has left the kernel (block 0, thread 25)"), std::string::npos)
      << xored.reason;
  EXPECT_EQ(xored.reason, error_of([] { shfl_xor(1, 16); }).reason);
  EXPECT_EQ(error_of([] { sum_down(1); }).reason, error_of([] { shfl_down(1, 8); }).reason);
  EXPECT_EQ(error_of([] { sum_down(1, 4); }).reason, error_of([] { shfl_down(1, 1, 4); }).reason);
  EXPECT_EQ(error_of([] { shfl_pair(1, 1, 9); }).reason, error_of([] { shfl(1, 9); }).reason);
}

}  // namespace
}  // namespace warpspy::simt
