// THE list of kernels: one line each. The emulator's table and the CUDA launchers are both made from it.
#pragma once

#include <tuple>

#include "kernels/spmv/axpy.hpp"
#include "kernels/spmv/bsr.hpp"
#include "kernels/spmv/bsr_transposed.hpp"
#include "kernels/spmv/bsr_warps.hpp"
#include "kernels/spmv/coo_atomic.hpp"
#include "kernels/spmv/coo_segmented.hpp"
#include "kernels/spmv/coo_transposed.hpp"
#include "kernels/spmv/csc.hpp"
#include "kernels/spmv/csc_transposed.hpp"
#include "kernels/spmv/csr_adaptive.hpp"
#include "kernels/spmv/csr_even.hpp"
#include "kernels/spmv/csr_even_transposed.hpp"
#include "kernels/spmv/csr_merge.hpp"
#include "kernels/spmv/csr_packs.hpp"
#include "kernels/spmv/csr_scalar.hpp"
#include "kernels/spmv/csr_slots_transposed.hpp"
#include "kernels/spmv/csr_stream.hpp"
#include "kernels/spmv/csr_striped.hpp"
#include "kernels/spmv/csr_striped_transposed.hpp"
#include "kernels/spmv/csr_transposed.hpp"
#include "kernels/spmv/csr_vector.hpp"
#include "kernels/spmv/dia.hpp"
#include "kernels/spmv/dia_packs.hpp"
#include "kernels/spmv/dia_transposed.hpp"
#include "kernels/spmv/ell.hpp"
#include "kernels/spmv/evc_hyb.hpp"
#include "kernels/spmv/hyb.hpp"
#include "kernels/spmv/hyb_fused.hpp"
#include "kernels/spmv/hyb_r.hpp"
#include "kernels/spmv/hyb_r_fused.hpp"
#include "kernels/spmv/jds.hpp"
#include "kernels/spmv/lma.hpp"
#include "kernels/spmv/lma_coloured.hpp"
#include "kernels/spmv/pkt.hpp"
#include "kernels/spmv/sell.hpp"
#include "kernels/spmv/sell_warps.hpp"

namespace warpspy {

// clang-format off
using KernelList = std::tuple<
    Axpy,
    CsrScalar,
    CsrVector,
    CsrAdaptive,
    CsrPacks,
    CsrStream,
    CsrStriped,
    CsrMerge,
    CsrEven,
    Dia,
    DiaPacks,
    Ell,
    CooAtomic,
    CooSegmented,
    Hyb,
    HybFused,
    HybR,
    HybRFused,
    Sell,
    SellWarps,
    Jds,
    Bsr,
    BsrWarps,
    EvcHyb,
    Pkt,
    Lma,
    LmaColoured,
    Csc,
    CsrTransposed,
    CsrSlotsTransposed,
    CsrEvenTransposed,
    CsrStripedTransposed,
    CscTransposed,
    CooTransposed,
    BsrTransposed,
    DiaTransposed>;
// clang-format on

}  // namespace warpspy
