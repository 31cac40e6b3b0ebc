// Preparation is what is spent once before the first product, and when a faster product has paid for it (the question
// of Reguly & Giles 2012, figure 16, and of the total cost of Steinberger et al. 2016).
#pragma once

#include <optional>
#include <string>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// The preparation of a run: the conversion of the matrix from CSR to the kernel's format, and what the kernel makes of
// it (the run's setup). The copy of the CSR to the device is no part of it: it is the same for all formats, and stands
// apart in the record (csr_upload).
struct PreparationTime {
  std::optional<double> us = {};  // nothing: it is not known, and `reason` says why
  double conversion_us = 0, setup_us = 0;
  std::string reason = {};
  Provenance provenance = Provenance::measured;
};
// `format`: of the run's kernel; nullptr: not known, so it needs a conversion.
PreparationTime preparation_of(const RunRecord& r, const FormatInfo* format);

// What a product costs, in the same unit of time: once, and each time.
struct ProductCost {
  double preparation = 0, product = 0;
  double total(double products) const { return preparation + products * product; }
  bool operator==(const ProductCost&) const = default;
};

// After how many products `cost` has been as cheap as `base`: (preparation - that of base) / (time saved a product). 0
// if its preparation is no longer. Returns nothing ("never") if a product is not faster, or a time is not a number.
std::optional<double> pays_off_after(const ProductCost& cost, const ProductCost& base);

// A preparation in products that take so long each; nothing if that is no time.
std::optional<double> in_products(double preparation, double product);

}  // namespace warpspy
