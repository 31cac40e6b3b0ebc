#include "kernels/simt/emulator.hpp"

#include <atomic>
#include <bit>
#include <limits>
#include <type_traits>

#include "kernels/simt/machine.hpp"

namespace warpspy::simt {
namespace {

// The machine that runs on this host thread; run_block sets it.
constinit thread_local Machine* machine_now = nullptr;

}  // namespace

inline namespace emulated {
namespace detail {

constinit thread_local LaneBuffer* current_lane = nullptr;

constinit thread_local const CollectiveState* last_collective = nullptr;

void arrive(Collective kind, std::uint64_t word, Where where, const Completion* completion) {
  machine_now->arrive(place_of(kind, where), word, completion);
}
void abandon_lane() { throw Abandoned{}; }
void grow(LaneBuffer& lane) { machine_now->grow(lane); }
Shadow::Shared shared_memory(const char* name, std::size_t element_bytes, std::int64_t count, std::int64_t offset) {
  return machine_now->shadow().shared(name, element_bytes, count, offset);
}
void load_shared(SharedCell& cell, const char* name, std::int64_t index, Where where) {
  machine_now->shadow().load_shared(cell, name, index, machine_now->thread(), where);
  machine_now->note_shared(name, index, Op::load, where);
}
void add_shared(SharedCell& cell, const char* name, std::int64_t index, std::size_t bytes, Where where) {
  machine_now->shadow().add_shared(cell, name, index, bytes, machine_now->thread(), where);
  machine_now->note_shared(name, index, Op::atomic, where);
}
void store_shared(SharedCell& cell, const char* name, std::int64_t index, Where where) {
  machine_now->shadow().store_shared(cell, name, index, machine_now->thread(), where);
  machine_now->note_shared(name, index, Op::store, where);
}
void touch(const GlobalAccess& access, const void* begin, const void* end, Where where) {
  if (machine_now->shadow().global(access, machine_now->thread(), where) && machine_now->later())
    machine_now->later()->apply_to(begin, end);
}

void touched_too_early(std::uint16_t array, Where where) {
  const Launch& launch = machine_now->launch();
  throw Error("kernel " + launch.kernel + " touches " + launch.arrays[array].name +
                  " before it has awaited the launch before, which may not have ended (" + machine_now->thread_text() +
                  ")",
              text_of(where), "call PreviousLaunch::await() first");
}

template <class T>
void add_now_or_later(T* to, T value) {
  if (Additions* later = machine_now->later())
    later->add(to, value);
  else
    std::atomic_ref<T>(*to).fetch_add(value, std::memory_order_relaxed);
}
void add(float* to, float value) { add_now_or_later(to, value); }
void add(double* to, double value) { add_now_or_later(to, value); }
void add(std::int32_t* to, std::int32_t value) { add_now_or_later(to, value); }

// In the order of the GPU's lanes.
template <class T>
bool meet(T* slots, std::int32_t* counter, int index, int parts, T& value) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr T nobody = std::bit_cast<T>(~Word{0});
  const auto is_nobody = [](T t) { return std::bit_cast<Word>(t) == ~Word{0}; };
  const T mine = value == value ? value : std::numeric_limits<T>::quiet_NaN();
  if (parts == 2) {
    const T other = std::atomic_ref<T>(*slots).exchange(mine, std::memory_order_relaxed);
    if (is_nobody(other)) return false;
    std::atomic_ref<T>(*slots).store(nobody, std::memory_order_relaxed);
    value += other;
    return true;
  }
  std::atomic_ref<T>(slots[index]).store(mine, std::memory_order_relaxed);
  std::atomic_ref<std::int32_t> count(*counter);
  std::int32_t before = count.load(std::memory_order_relaxed);
  while (!count.compare_exchange_weak(before, before < 0 || before >= parts - 1 ? 0 : before + 1,
                                      std::memory_order_acq_rel, std::memory_order_relaxed)) {
  }
  if (before != parts - 2) return false;
  T own[warp_size] = {};
  for (int k = 0; k < parts; ++k) own[k % warp_size] += std::atomic_ref<T>(slots[k]).exchange(nobody);
  for (int d = warp_size / 2; d > 0; d /= 2)
    for (int lane = 0; lane < d; ++lane) own[lane] += own[lane + d];
  value = own[0];
  return true;
}
bool last_of_all(float* slots, std::int32_t* counter, int index, int parts, float& value) {
  return meet(slots, counter, index, parts, value);
}
bool last_of_all(double* slots, std::int32_t* counter, int index, int parts, double& value) {
  return meet(slots, counter, index, parts, value);
}

void require_dynamic_shared(const char* name, std::int64_t end_bytes) {
  if (end_bytes <= machine_now->block().shared_bytes) return;
  throw Error("kernel " + machine_now->launch().kernel + ": shared " + name + " ends at byte " +
              std::to_string(end_bytes) + ", and the launch asked for " +
              std::to_string(machine_now->block().shared_bytes));
}
void misaligned(std::uint16_t array, std::int64_t index, int n, Where where) {
  const Launch& launch = machine_now->launch();
  throw Error("kernel " + launch.kernel + " reads " + std::to_string(n) + " elements of " + launch.arrays[array].name +
                  " at once from " + std::to_string(index) + ", which is no multiple of " + std::to_string(n) + " (" +
                  machine_now->thread_text() + ")",
              text_of(where));
}

void out_of_bounds(std::uint16_t array, const char* what, std::int64_t index, std::int64_t size, Where where) {
  const Launch& launch = machine_now->launch();
  throw Error("kernel " + launch.kernel + " " + what + " " + launch.arrays[array].name + "[" + std::to_string(index) +
                  "], outside its " + std::to_string(size) + " elements (" + machine_now->thread_text() + ")",
              text_of(where));
}
void out_of_shared(const char* array, const char* what, std::int64_t index, std::int64_t size, Where where) {
  throw Error("kernel " + machine_now->launch().kernel + " " + what + " shared " + array + "[" + std::to_string(index) +
                  "], outside its " + std::to_string(size) + " elements (" + machine_now->thread_text() + ")",
              text_of(where));
}
void from_exited_lane(int reader, int lane, Where where) {
  throw Error("kernel " + machine_now->launch().kernel + " shuffles from lane " + std::to_string(lane) +
                  ", which has left the kernel (" + machine_now->thread_text(reader) + ")",
              text_of(where));
}

}  // namespace detail
}  // namespace emulated

bool run_block(Launch& launch, Block block, void (*lane)(const void*, Thread), const void* code, BlockTrace* trace,
               Additions* later) {
  static thread_local Machine m;
  machine_now = &m;
  return m.run(launch, block, lane, code, trace, later);
}

}  // namespace warpspy::simt
