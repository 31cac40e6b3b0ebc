// What the model of a GPU reads beside the GPU's own description: made of measured times and of machine code, each by
// one command (assets/README.md).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernels/product/machine_code.hpp"
#include "profiling/simulated/calibration.hpp"

namespace warpspy {

struct ModelAssets {
  MachineCode machine_code;
  std::map<std::string, Calibration> calibrations;  // by the GPU's id

  // nullptr where nobody measured.
  const Calibration* of(const std::string& gpu) const {
    const auto at = calibrations.find(gpu);
    return at == calibrations.end() ? nullptr : &at->second;
  }
};
// What is not in the folder stays empty. Throws Error for a file that is not in order.
std::shared_ptr<const ModelAssets> read_model_assets(const std::string& assets);

}  // namespace warpspy
