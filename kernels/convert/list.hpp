// The one list of conversions.
#pragma once

#include <tuple>
#include <type_traits>

#include "kernels/convert/to_bsr.hpp"
#include "kernels/convert/to_coo.hpp"
#include "kernels/convert/to_csc.hpp"
#include "kernels/convert/to_dia.hpp"
#include "kernels/convert/to_ell.hpp"
#include "kernels/convert/to_hyb.hpp"
#include "kernels/convert/to_sell.hpp"
#include "kernels/convert/to_sell16.hpp"
#include "kernels/convert/to_sell8.hpp"

namespace warpspy::convert {

using ConversionList = std::tuple<ToCoo, ToCsc, ToDia, ToDiaSymmetric, ToEll, ToHyb, ToSell, ToSell16, ToSell8, ToBsr>;

// The parameters of a conversion; some have none.
template <class To>
auto params_of_conversion(const ParamSet& given) {
  return []<class Params>(const Fields<Params>& fields, const ParamSet& set) -> Params {
    if constexpr (std::is_empty_v<Params>) {
      checked_params({}, set);
      return {};
    } else {
      return params_of(fields, set);
    }
  }(To::fields(), given);
}

}  // namespace warpspy::convert
