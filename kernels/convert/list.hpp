// The one list of conversions.
#pragma once

#include <tuple>
#include <type_traits>

#include "kernels/convert/prepare_block_slots.hpp"
#include "kernels/convert/prepare_column_order.hpp"
#include "kernels/convert/prepare_column_parts.hpp"
#include "kernels/convert/prepare_column_slots.hpp"
#include "kernels/convert/prepare_even_split.hpp"
#include "kernels/convert/prepare_lane_order.hpp"
#include "kernels/convert/prepare_merge_tiles.hpp"
#include "kernels/convert/prepare_row_marks.hpp"
#include "kernels/convert/prepare_row_tiles.hpp"
#include "kernels/convert/prepare_stripe_pieces.hpp"
#include "kernels/convert/prepare_striped.hpp"
#include "kernels/convert/prepare_x_slots.hpp"
#include "kernels/convert/prepare_x_slots_share.hpp"
#include "kernels/convert/to_bsr.hpp"
#include "kernels/convert/to_bsr_symmetric.hpp"
#include "kernels/convert/to_coo.hpp"
#include "kernels/convert/to_csc.hpp"
#include "kernels/convert/to_csr_compact.hpp"
#include "kernels/convert/to_dia.hpp"
#include "kernels/convert/to_ell.hpp"
#include "kernels/convert/to_evc_hyb.hpp"
#include "kernels/convert/to_hyb.hpp"
#include "kernels/convert/to_hyb_r.hpp"
#include "kernels/convert/to_sell.hpp"
#include "kernels/convert/to_sell16.hpp"
#include "kernels/convert/to_sell8.hpp"

namespace warpspy::convert {

using ConversionList = std::tuple<ToCoo, ToCsc, ToDia, ToDiaSymmetric, ToEll, ToHyb, ToHybR, ToEvcHyb, ToSell, ToSell16,
                                  ToSell8, ToCsrCompact, ToBsr, ToBsrSymmetric>;
using PreparationList =
    std::tuple<ToEvenSplit, ToStripedEntries, ToXSlots, ToXSlotsShare, ToLaneOrder, ToRowMarks, ToColumnOrder,
               ToColumnParts, ToRowTiles, ToMergeTiles, ToColumnSlots, ToStripePieces, ToBlockSlots>;

// Whether sizes or launches of a conversion depend on the values.
template <class To>
inline constexpr bool counts_values = requires { To::counts_values; };

// Reads the parameters of a conversion; some conversions have none.
template <class To>
auto params_of_conversion(const ParamSet& given) {
  if constexpr (requires { To::params(given); }) {
    return To::params(given);
  } else {
    return []<class Params>(const Fields<Params>& fields, const ParamSet& set) -> Params {
      if constexpr (std::is_empty_v<Params>) {
        checked_params({}, set);
        return {};
      } else {
        return params_of(fields, set);
      }
    }(To::fields(), given);
  }
}

}  // namespace warpspy::convert
