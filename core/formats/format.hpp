// A storage format: built from CSR, lists its entries, knows its exact size before it is built.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

struct ArraySize {
  std::string name;  // "values", "columns", "row_ptr"
  enum class Role : std::uint8_t { values, indices, pointers } role = Role::values;
  std::size_t bytes = 0;
  bool operator==(const ArraySize&) const = default;
};

// The cost of a format for a matrix, known without building it. Equals the built format's sizes to the byte.
struct Estimate {
  std::vector<ArraySize> arrays;
  index_t stored = 0;   // entries stored, padding included
  index_t padding = 0;  // of these, padding
  std::size_t bytes() const;
};

// A built format. Immutable; kernels cast to the concrete type by id.
class Format {
 public:
  virtual ~Format() = default;
  virtual std::string id() const = 0;
  virtual Estimate size() const = 0;
  // Calls visit(row, column, value) for every entry that is not padding, in storage order.
  virtual void for_each(const std::function<void(index_t, index_t, double)>& visit) const = 0;
};

struct FormatRow {
  FormatInfo info;
  Estimate (*estimate)(const Csr&, Precision, const ParamSet&) = nullptr;
  // Values converted to `precision` through `view`. Throws Error when it does not fit the format (index width) and
  // Cancelled.
  std::shared_ptr<const Format> (*build)(const Csr&, Precision, RealView, const ParamSet&, Progress&) = nullptr;
};
// THE list of formats.
const std::vector<FormatRow>& formats();
const FormatRow& format_row(const std::string& id);  // throws Error listing the known ids

// Bytes one product must move: every array of the format once, x read once, y written once (Reguly & Giles eq. 4).
std::size_t minimum_bytes(const Estimate& e, const Csr& a, Precision precision);

}  // namespace warpspy
