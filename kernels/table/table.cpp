#include "kernels/table/table.hpp"

namespace warpspy {

const std::vector<KernelRow>& kernels() {
  static const std::vector<KernelRow> table;
  return table;
}

}  // namespace warpspy
