#if defined(WARPSPY_HAVE_CUDA)
#include "kernels/device/device_arrays.hpp"

#include <algorithm>
#include <utility>

#include "kernels/device/device.hpp"

namespace warpspy {

DeviceArrays::DeviceArrays(std::shared_ptr<const Format> format) : format_(std::move(format)) {
  for (const ArrayView& array : format_->arrays()) of_format_.insert(array.data);
}

void* DeviceArrays::find(const void* host, std::size_t bytes) {
  if (bytes == 0 || !of_format_.contains(host)) return nullptr;
  const auto found = there_.find(host);
  // A shorter view of the same array is its beginning.
  if (found != there_.end() && found->second.bytes() >= bytes) return found->second.data();
  if (found != there_.end()) return nullptr;
  cuda::DeviceBytes memory(bytes);
  memory.upload(host);
  return there_.emplace(host, std::move(memory)).first->second.data();
}

std::shared_ptr<PreparedArrays> DeviceArrays::prepared(const std::string& of) {
  constexpr std::size_t most = 5;
  const auto at = std::find_if(prepared_.begin(), prepared_.end(), [&](const auto& p) { return p.first == of; });
  if (at != prepared_.end()) {
    std::rotate(at, at + 1, prepared_.end());
  } else {
    if (prepared_.size() == most) prepared_.erase(prepared_.begin());
    prepared_.emplace_back(of, std::make_shared<PreparedArrays>());
  }
  return prepared_.back().second;
}

std::shared_ptr<DeviceArrays> DeviceArrays::elsewhere() const {
  auto other = std::make_shared<DeviceArrays>(format_);
  for (const auto& [of, prepared] : prepared_)
    other->prepared_.emplace_back(of, std::make_shared<PreparedArrays>(PreparedArrays{prepared->results, {}}));
  return other;
}

std::shared_ptr<DeviceArrays> copied_on_device(const DeviceArrays& arrays) { return arrays.elsewhere(); }

std::shared_ptr<DeviceArrays> kept_on_device(std::shared_ptr<const Format> format) {
  return std::make_shared<DeviceArrays>(std::move(format));
}

}  // namespace warpspy
#endif
