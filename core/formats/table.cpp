// The list of formats, a row each. Tests, window and command line loop over it.
#include "core/formats/bsr.hpp"
#include "core/formats/bsr_symmetric.hpp"
#include "core/formats/coo.hpp"
#include "core/formats/csc.hpp"
#include "core/formats/csr.hpp"
#include "core/formats/csr_compact.hpp"
#include "core/formats/dia.hpp"
#include "core/formats/dia_symmetric.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/evc_hyb.hpp"
#include "core/formats/hyb.hpp"
#include "core/formats/hyb_r.hpp"
#include "core/formats/jds.hpp"
#include "core/formats/lma.hpp"
#include "core/formats/padding.hpp"
#include "core/formats/pkt.hpp"
#include "core/formats/sell.hpp"
#include "core/formats/sell16.hpp"
#include "core/formats/sell8.hpp"

namespace warpspy {

const std::vector<FormatRow>& formats() {
  static const std::vector<FormatRow> table = {
      {.info = csr_info(), .estimate = csr_estimate, .build = csr_build, .padding = no_padding},
      {.info = ell_info(), .estimate = ell_estimate, .build = ell_build, .padding = ell_padding},
      {.info = coo_info(), .estimate = coo_estimate, .build = coo_build, .padding = no_padding},
      {.info = csc_info(), .estimate = csc_estimate, .build = csc_build, .padding = no_padding},
      {.info = dia_info(), .estimate = dia_estimate, .build = dia_build, .padding = dia_padding},
      {.info = dia_symmetric_info(),
       .estimate = dia_symmetric_estimate,
       .build = dia_symmetric_build,
       .slow_estimate = true,
       .symmetric = true},
      {.info = hyb_info(), .estimate = hyb_estimate, .build = hyb_build, .padding = hyb_padding},
      {.info = hyb_r_info(), .estimate = hyb_r_estimate, .build = hyb_r_build, .padding = hyb_r_padding},
      {.info = pkt_info(), .estimate = pkt_estimate, .build = pkt_build, .slow_estimate = true},
      {.info = evc_hyb_info(), .estimate = evc_hyb_estimate, .build = evc_hyb_build, .padding = evc_hyb_padding},
      {.info = sell_info(), .estimate = sell_estimate, .build = sell_build, .padding = sell_padding},
      {.info = sell16_info(), .estimate = sell16_estimate, .build = sell16_build, .padding = sell16_padding},
      {.info = sell8_info(), .estimate = sell8_estimate, .build = sell8_build, .padding = sell8_padding},
      {.info = csr_compact_info(), .estimate = csr_compact_estimate, .build = csr_compact_build, .padding = no_padding},
      {.info = jds_info(), .estimate = jds_estimate, .build = jds_build, .padding = jds_padding},
      {.info = bsr_info(), .estimate = bsr_estimate, .build = bsr_build, .padding = bsr_padding},
      {.info = bsr_symmetric_info(),
       .estimate = bsr_symmetric_estimate,
       .build = bsr_symmetric_build,
       .slow_estimate = true,
       .symmetric = true},
      {.info = lma_info(), .estimate = lma_estimate, .build = lma_build, .from_elements = true},
  };
  return table;
}

}  // namespace warpspy
