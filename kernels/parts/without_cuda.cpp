// The same functions in a build without CUDA.
#if !defined(WARPSPY_HAVE_CUDA)
#include "kernels/parts/device_parts.hpp"

namespace warpspy {

class DeviceParts::Own {};

std::string join_peers(const std::vector<int>&) { return "this build has no CUDA"; }

DeviceParts::DeviceParts(std::vector<PartOnGpu>, Precision, std::shared_ptr<Communicators>) {
  throw Error("this build has no CUDA", {}, "choose simulated GPUs (--device sim:h200)");
}
DeviceParts::~DeviceParts() = default;
std::size_t DeviceParts::size() const { return 0; }
DevicePart& DeviceParts::part(std::size_t) const { throw Error("this build has no CUDA"); }
Meeting& DeviceParts::meeting() const { throw Error("this build has no CUDA"); }
void DeviceParts::choose(PartsWay) {}
std::unique_ptr<PartsGraph> DeviceParts::captured(const std::vector<PartStep>&, bool) { return nullptr; }
void DeviceParts::alone(const std::function<void(DevicePart&)>&) {}
void DeviceParts::together(const std::function<void(std::size_t, DevicePart&)>&) {}

}  // namespace warpspy
#endif
