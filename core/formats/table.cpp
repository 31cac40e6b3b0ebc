// THE list of formats: one row each. Tests, UI and command line loop over it.
#include "core/formats/bsr.hpp"
#include "core/formats/coo.hpp"
#include "core/formats/csc.hpp"
#include "core/formats/csr.hpp"
#include "core/formats/dia.hpp"
#include "core/formats/ell.hpp"
#include "core/formats/evc_hyb.hpp"
#include "core/formats/hyb.hpp"
#include "core/formats/hyb_r.hpp"
#include "core/formats/jds.hpp"
#include "core/formats/lma.hpp"
#include "core/formats/pkt.hpp"
#include "core/formats/sell.hpp"

namespace warpspy {

const std::vector<FormatRow>& formats() {
  static const std::vector<FormatRow> table = {
      {csr_info(), csr_estimate, csr_build},
      {ell_info(), ell_estimate, ell_build},
      {coo_info(), coo_estimate, coo_build},
      {csc_info(), csc_estimate, csc_build},
      {dia_info(), dia_estimate, dia_build},
      {hyb_info(), hyb_estimate, hyb_build},
      {hyb_r_info(), hyb_r_estimate, hyb_r_build},
      {pkt_info(), pkt_estimate, pkt_build, true},
      {evc_hyb_info(), evc_hyb_estimate, evc_hyb_build},
      {sell_info(), sell_estimate, sell_build},
      {jds_info(), jds_estimate, jds_build},
      {bsr_info(), bsr_estimate, bsr_build},
      {lma_info(), lma_estimate, lma_build, false, true},
  };
  return table;
}

}  // namespace warpspy
