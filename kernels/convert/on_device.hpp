// Declares what on_device.cu gives to the table of conversions.
#pragma once

#include "kernels/convert/conversion.hpp"

namespace warpspy::convert {

// Compiled for every conversion of the list.
template <class To>
DeviceConversion on_device(const ConversionInputs& in);

}  // namespace warpspy::convert
