// Atomic additions of a block, kept until it is their turn.
#pragma once

#include <cstdint>
#include <vector>

namespace warpspy::simt {

// Atomic additions that a block has put aside. The order of additions is the order of rounding: a caller that runs
// blocks on several threads does them block after block, so that sums do not depend on the number of threads.
class Additions {
 public:
  // For a trial: nothing is added ever, and stores of the block are not done either.
  static Additions dry_run() {
    Additions a;
    a.dry_ = true;
    return a;
  }
  bool dry() const { return dry_; }
  void add(float* to, float value) { list_.push_back({to, value, Type::f32}); }
  void add(double* to, double value) { list_.push_back({to, value, Type::f64}); }
  void add(std::int32_t* to, std::int32_t value) { list_.push_back({to, static_cast<double>(value), Type::i32}); }
  void apply();  // and forget
  // Does, and forgets, those to [begin, end): this block goes on with what it has added up there.
  void apply_to(const void* begin, const void* end);

 private:
  enum class Type : std::uint8_t { f32, f64, i32 };
  struct Addition {
    void* to;
    double value;  // exact for each type
    Type type;
    void apply() const;
  };
  std::vector<Addition> list_;
  bool dry_ = false;
};

}  // namespace warpspy::simt
