// Tells how a kernel describes itself: its tags, and how much slower it is than its bytes allow. Code that chooses
// among kernels uses these descriptions, never a kernel's id. params.hpp says where a search begins.
#pragma once

#include <cstdint>
#include <span>

namespace warpspy {

// A tag exists only if some code uses it: a rule of the diagnosis, or the order in which kernels are tried. tag_rows()
// explains each tag.
enum class Tag : std::uint8_t {
  thread_per_row,
  threads_per_row,
  splits_rows,
  sums_in_shared,
  many_in_flight,
  vector_in_shared,
  stripes,
  atomics,
  reorders_rows,
  long_rows_apart,
  blocks,
  diagonals,
  several_launches
};

class Tags {
 public:
  constexpr Tags() = default;
  constexpr Tags(Tag tag) : bits_(1u << static_cast<unsigned>(tag)) {}  // implicit: a tag is a set of one
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has_all(Tags other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool has_any(Tags other) const { return (bits_ & other.bits_) != 0; }
  friend constexpr Tags operator|(Tags a, Tags b) {
    a.bits_ |= b.bits_;
    return a;
  }
  constexpr bool operator==(const Tags&) const = default;

 private:
  std::uint32_t bits_ = 0;
};
constexpr Tags operator|(Tag a, Tag b) { return Tags(a) | Tags(b); }

struct TagRow {
  Tag tag;
  const char *id, *label, *help;  // help: what it means, one sentence for people
};
std::span<const TagRow> tag_rows();

// Tells how many times as long as csr_even a kernel takes for the same number of bytes. It is only exact enough to rank
// kernels. `source`: who measured it, with what and when, or that it was not measured.
struct Slowdown {
  double factor = 1;
  const char* source = "";
  bool operator==(const Slowdown&) const = default;
};
inline constexpr const char* of_eight_draws =
    "medians of eight draws in f32 and f64, each kernel by the best parameters that were found, rounded, down where "
    "they were large (H100, 2026-11-25)";
inline constexpr const char* not_measured = "not measured, taken to be as near as CSR even";
// A kernel with at most this slowdown is worth a try whenever bytes decide the time.
inline constexpr double near_its_bytes = 1.2;

}  // namespace warpspy
