// Preparation is the time that is spent once before the first product y = A x. A faster product pays for a longer
// preparation after some number of products. Reguly & Giles 2012 ask for that number (figure 16), as do Steinberger et
// al. 2016 (total cost).
#pragma once

#include <optional>
#include <string>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

// The preparation of a run: the conversion of the matrix from CSR to the kernel's format, and the arrays that the
// kernel then makes from it (the run's setup). Copying the CSR arrays to the device is no part of it. That time is the
// same for all formats, and the record has it apart (csr_upload).
struct PreparationTime {
  std::optional<double> us = {};  // nothing: it is not known, and `reason` says why
  double conversion_us = 0, setup_us = 0;
  std::string reason = {};
  Provenance provenance = Provenance::measured;
};
// `format` is the format of the run's kernel. If it is not known (nullptr), a conversion is expected.
PreparationTime preparation_of(const RunRecord& r, const FormatInfo* format);

// Holds what products cost: the preparation is paid once, `product` each time. Both are in the same unit of time.
struct ProductCost {
  double preparation = 0, product = 0;
  double total(double products) const { return preparation + products * product; }
  bool operator==(const ProductCost&) const = default;
};

// After how many products `cost` is as cheap as `base`: (difference of the preparations) / (time saved per product). 0
// if the preparation takes no longer than that of `base`. Returns nothing ("never") if a product is not faster, or a
// time is not a number.
std::optional<double> pays_off_after(const ProductCost& cost, const ProductCost& base);

// A preparation in units of products: preparation / product. Returns nothing if `product` is not a positive time.
std::optional<double> in_products(double preparation, double product);

}  // namespace warpspy
