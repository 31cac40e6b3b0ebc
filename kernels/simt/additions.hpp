// Atomic additions of a block, which are done later in a fixed order.
#pragma once

#include <cstdint>
#include <vector>

namespace warpspy::simt {

// Atomic additions that a block has postponed. Rounding depends on the order of additions. So a caller that runs blocks
// on several threads does the additions block after block, and sums do not depend on the number of threads.
class Additions {
 public:
  // For a block that runs only as a trial: its additions and its stores are never done.
  static Additions dry_run() {
    Additions a;
    a.dry_ = true;
    return a;
  }
  bool dry() const { return dry_; }
  void add(float* to, float value) { list_.push_back({to, value, Type::f32}); }
  void add(double* to, double value) { list_.push_back({to, value, Type::f64}); }
  void add(std::int32_t* to, std::int32_t value) { list_.push_back({to, static_cast<double>(value), Type::i32}); }
  void apply();  // does all additions and empties the list
  // Does and removes the additions to [begin, end), so that the block can read the sums there.
  void apply_to(const void* begin, const void* end);

 private:
  enum class Type : std::uint8_t { f32, f64, i32 };
  struct Addition {
    void* to;
    double value;  // holds every type's values exactly
    Type type;
    void apply() const;
  };
  std::vector<Addition> list_;
  bool dry_ = false;
};

}  // namespace warpspy::simt
