#include "core/gpu/gpu_match.hpp"

#include <cctype>

namespace warpspy {

const GpuSpec* spec_of_device(const std::string& device_name, int compute_capability,
                              const std::vector<GpuSpec>& specs) {
  std::string name;
  for (const char c : device_name)
    if (c != ' ') name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const GpuSpec& spec : specs)
    if (spec.compute_capability == compute_capability && name.find(spec.id) != std::string::npos) return &spec;
  return nullptr;
}

}  // namespace warpspy
