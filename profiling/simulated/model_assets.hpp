// Files that the model of a GPU reads besides the GPU's description: calibration samples from measured times and
// numbers of machine code, each made by one command (assets/README.md), and links between GPUs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/partition/link.hpp"
#include "kernels/product/machine_code.hpp"
#include "profiling/simulated/calibration.hpp"

namespace warpspy {

struct ModelAssets {
  MachineCode machine_code;
  std::map<std::string, Calibration> calibrations;  // calibrations by the GPU's id
  std::vector<Link> links = {};                     // between GPUs

  // Returns the calibration of a GPU; nullptr if nothing was measured on it.
  const Calibration* of(const std::string& gpu) const {
    const auto at = calibrations.find(gpu);
    return at == calibrations.end() ? nullptr : &at->second;
  }
};
// A file that is missing leaves its part empty. Throws Error for an invalid file.
std::shared_ptr<const ModelAssets> read_model_assets(const std::string& assets);

}  // namespace warpspy
