#include "profiling/simulated/model_assets.hpp"

#include "profiling/simulated/machine_code.hpp"

namespace warpspy {

std::shared_ptr<const ModelAssets> read_model_assets(const std::string& assets) {
  return std::make_shared<const ModelAssets>(
      ModelAssets{read_machine_code(assets), read_calibrations(assets), read_links(assets + "/links")});
}

}  // namespace warpspy
