// Makes the operand that tells L2 to evict a share of an array last. A kernel could make it itself, but then every
// thread would hold it in two registers. Some products in f64 have none to spare. As an argument of the launch it needs
// none.
#include <map>
#include <mutex>
#include <utility>

#include "kernels/device/cuda.hpp"
#include "kernels/simt/simt.hpp"

namespace warpspy::cuda {
namespace {

__global__ void make_wish(float share, std::uint64_t* wish) { *wish = simt::detail::l2_policy(share); }

}  // namespace

std::uint64_t l2_wish(float share) {
  static std::mutex mutex;
  static std::map<std::pair<int, float>, std::uint64_t> known;
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  const std::lock_guard lock(mutex);
  if (const auto at = known.find({device, share}); at != known.end()) return at->second;
  const DeviceBytes memory(sizeof(std::uint64_t));
  make_wish<<<1, 1>>>(share, static_cast<std::uint64_t*>(memory.data()));
  check(cudaGetLastError(), "asking how L2 is told what to keep");
  std::uint64_t wish = 0;
  memory.download(&wish);
  return known.emplace(std::pair(device, share), wish).first->second;
}

}  // namespace warpspy::cuda
