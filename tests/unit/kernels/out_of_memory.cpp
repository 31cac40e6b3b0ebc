// Memory that runs out in the middle of a block: one std::bad_alloc, and the next block is run as if nothing had been.
#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <thread>

#include "tests/unit/kernels/simt.hpp"

namespace {

// So many more allocations of this thread are granted; without limit when negative.
thread_local long granted = -1;

void* granted_memory(std::size_t bytes) {
  if (granted == 0) return nullptr;
  if (granted > 0) --granted;
  return std::malloc(bytes > 0 ? bytes : 1);
}

}  // namespace

// Of the whole test program, in which nobody else sets a limit. Not inlined, so that GCC does not pair one with free().
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (void* memory = granted_memory(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return operator new(bytes); }
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return granted_memory(bytes);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return granted_memory(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace warpspy::simt {
namespace {

// Two warps that meet by shuffles, in shared memory and at barriers, with more accesses than are kept at first.
struct ConvergencePoint {
  Array<float> x;
  void operator()(Thread t) const {
    SIMT_SHARED(float, seen, 64);
    float sum = 0;
    for (int k = 0; k < 300; ++k) sum += ld(x, t.thread);
    st(seen, t.thread, sum_xor(sum));
    sync_block();
    st(x, t.thread, ld(seen, 63 - t.thread));
    sync_block();
  }
};

struct Result {
  std::vector<float> x;
  std::size_t accesses = 0;
  bool operator==(const Result&) const = default;
};

// Nothing when memory ran out.
std::optional<Result> run_with(long allocations) {
  Result r;
  r.x.assign(64, 1);
  Bench bench(64);
  const ConvergencePoint kernel{bench.array("x", r.x, Role::y)};
  granted = allocations;
  try {
    const BlockTrace trace = bench.run(kernel);
    granted = -1;
    for (const WarpTrace& warp : trace.warps) r.accesses += warp.addresses.size();
    return r;
  } catch (const std::bad_alloc&) {
    granted = -1;
    return {};
  }
}

// A thread each: the first block of a thread makes its stacks. What is left behind is ended with the thread.
TEST(EmulatorOutOfMemory, EveryAllocationMayFail) {
  const Result whole = *run_with(-1);
  EXPECT_EQ(whole.x, std::vector<float>(64, 300 * 32));
  long failed = 0;
  // Each of those at first, then some.
  for (bool ended = false; !ended; failed += failed < 100 ? 1 : 7) {
    ASSERT_LT(failed, 10'000);
    std::thread([&] {
      const auto first = run_with(failed);
      ended = first.has_value();
      EXPECT_EQ(run_with(-1), whole) << "behind allocation " << failed;
    }).join();
  }
  EXPECT_GT(failed, 100);  // records, stacks, traces
}

}  // namespace
}  // namespace warpspy::simt
