#if defined(WARPSPY_HAVE_CUDA)
#include "kernels/device/device_arrays.hpp"

#include <algorithm>
#include <utility>

#include "kernels/device/device.hpp"

namespace warpspy {

DeviceArrays::DeviceArrays(std::shared_ptr<const Format> format, std::vector<ThereArray> made)
    : format_(std::move(format)) {
  for (const ArrayView& array : format_->arrays()) {
    of_format_.insert(array.data);
    for (ThereArray& there : made) {
      if (there.name != array.name) continue;
      if (there.bytes != array.bytes())
        throw Error("array " + array.name + " of " + format_->id() + " has " + std::to_string(there.bytes) +
                    " bytes as the device made it, and " + std::to_string(array.bytes()) + " as the host did");
      there_.emplace(array.data, There{std::move(there.memory), there.bytes});
    }
  }
}

void* DeviceArrays::find(const void* host, std::size_t bytes) {
  if (bytes == 0 || !of_format_.contains(host)) return nullptr;
  const auto found = there_.find(host);
  // A shorter view of the same array is its beginning.
  if (found != there_.end() && found->second.bytes >= bytes) return found->second.memory.get();
  if (found != there_.end()) return nullptr;
  const auto memory = std::make_shared<cuda::DeviceBytes>(bytes);
  memory->upload(host);
  void* const data = memory->data();
  there_.emplace(host, There{{memory, data}, bytes});
  return data;
}

void DeviceArrays::copy_all() {
  for (const ArrayView& array : format_->arrays()) find(array.data, array.bytes());
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
    other->prepared_.emplace_back(of, std::make_shared<PreparedArrays>(PreparedArrays{prepared->results, {}, {}}));
  return other;
}

std::shared_ptr<DeviceArrays> DeviceArrays::unprepared() const {
  auto other = std::make_shared<DeviceArrays>(format_);
  other->there_ = there_;
  return other;
}

void require_on_device(const std::string& what, double bytes) {
  cuda::require_device_memory(what, static_cast<std::size_t>(bytes));
}
void copy_to_device(DeviceArrays& arrays) { arrays.copy_all(); }
std::shared_ptr<DeviceArrays> copied_on_device(const DeviceArrays& arrays) { return arrays.elsewhere(); }
std::shared_ptr<DeviceArrays> unprepared_on_device(const DeviceArrays& arrays) { return arrays.unprepared(); }

std::shared_ptr<DeviceArrays> kept_on_device(std::shared_ptr<const Format> format, std::vector<ThereArray> made) {
  return std::make_shared<DeviceArrays>(std::move(format), std::move(made));
}

}  // namespace warpspy
#endif
