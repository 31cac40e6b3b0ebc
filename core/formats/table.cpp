// THE list of formats: one row each. Tests, UI and command line loop over it.
#include "core/formats/csr.hpp"
#include "core/formats/ell.hpp"

namespace warpspy {

const std::vector<FormatRow>& formats() {
  static const std::vector<FormatRow> table = {
      {csr_info(), csr_estimate, csr_build},
      {ell_info(), ell_estimate, ell_build},
  };
  return table;
}

}  // namespace warpspy
