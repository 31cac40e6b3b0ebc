// Makes a format on a GPU, or in the emulator on the model of a GPU, and tells how long that takes. On a real GPU it
// also compares the result with the format that the host builds. (For the emulator tests/unit/kernels/conversions.cpp
// does that.)
#pragma once

#include <memory>
#include <string>

#include "core/catalog/catalog.hpp"
#include "core/formats/csr.hpp"
#include "core/jobs/progress.hpp"
#include "kernels/convert/conversion.hpp"

namespace warpspy {

struct MadeOnGpu {
  double us = 0;  // from the CSR on the device to the format there; without reading the format back
  Provenance provenance = Provenance::modelled;
  std::string how;               // the launches and their bounds, or how it was timed
  std::size_t device_bytes = 0;  // measured: of all arrays that stood there at once, without the CSR; 0: not known
  std::string differs;           // on a real GPU: the first array that differs from the host's; "" if none does
};

// A conversion is modelled only up to this many entries, padding included. All its blocks must run, since what a block
// writes depends on the others.
inline constexpr index_t most_modelled_entries = 20'000'000;

// `host`: the format that the host has built, with the same parameters. Throws Error if it cannot be made there: the
// device has too little memory or lacks double precision, the conversion cannot be modelled, the parameters need a
// block that no GPU has.
MadeOnGpu make_on_gpu(const ConversionRow& row, const DeviceInfo& device, const std::shared_ptr<const CsrFormat>& csr,
                      const FormatFacts& facts, const Format& host, const ParamSet& params, Progress& progress);

}  // namespace warpspy
