// Products for tests: what a kernel of the table is given, what must come out, and the corners of its parameters.
#pragma once

#include <map>
#include <optional>

#include "core/generate/generate.hpp"
#include "kernels/table/table.hpp"
#include "tests/shapes.hpp"

namespace warpspy::testing {

struct Scaling {
  double alpha = 1, beta = 0;
};

// A product on a matrix, with everything that its inputs refer to.
struct Product {
  std::shared_ptr<const Format> format;
  std::vector<double> x, y;  // y before the product
  ProductInputs inputs;
  Reference expected;
};

// y = alpha op(A) x + beta y of the slots of the format (of the matrix where the kernel reads none), and its bound.
inline Reference expected_of(const KernelInfo& kernel, const Csr& a, const Format* format, const ProductInputs& in) {
  const long double u = in.precision == Precision::f32 ? 0x1p-24L : 0x1p-53L;
  const long double tiny = in.precision == Precision::f32 ? 0x1p-149L : 0x1p-1074L;
  const auto size = static_cast<std::size_t>(output_size(kernel.operation, a.rows(), a.cols()));
  std::vector<long double> sum(size, 0), magnitude(size, 0), terms(size, 0);
  const auto add = [&](index_t to, long double product) {
    sum[static_cast<std::size_t>(to)] += product;
    magnitude[static_cast<std::size_t>(to)] += std::abs(product);
    terms[static_cast<std::size_t>(to)] += 1;
  };
  const auto stride = in.params.contains("stride") ? static_cast<std::size_t>(in.params.at("stride")) : 1;
  const bool transposed = kernel.operation == Operation::transposed_product;
  if (kernel.operation == Operation::axpy) {
    for (std::size_t i = 0; i < size; i += stride) add(static_cast<index_t>(i), in.x[i]);
  } else {
    format->for_each_slot([&](const Slot& s) {
      if (s.padding()) return;
      const index_t from = transposed ? s.row : s.column, to = transposed ? s.column : s.row;
      add(to, static_cast<long double>(s.value) * in.x[static_cast<std::size_t>(from)]);
      if (s.mirrored) add(from, static_cast<long double>(s.value) * in.x[static_cast<std::size_t>(to)]);
    });
  }
  Reference ref;
  for (std::size_t i = 0; i < size; ++i) {
    const bool touched = kernel.operation != Operation::axpy || i % stride == 0;
    const long double alpha = touched ? in.alpha : 0, beta = touched ? in.beta : 1;
    const long double before = in.beta != 0 ? beta * in.y[i] : 0;
    const long double n = terms[i] + (in.alpha != 1) + (in.beta != 0 ? 2 : 0);
    ref.y.push_back(alpha * sum[i] + before);
    ref.bound.push_back(n * u / (1 - n * u) * (std::abs(alpha) * magnitude[i] + std::abs(before)) + n * tiny);
  }
  return ref;
}

// Nothing when the format cannot hold the matrix (an unsymmetric pattern in PKT, no elements for LMA).
inline std::optional<Product> product_of(const KernelRow& kernel, const Matrix& m, Precision precision,
                                         const ParamSet& params, Scaling scaling = {},
                                         const ParamSet& format_params = {}) {
  Product p;
  if (!kernel.info.format.empty()) {
    const FormatRow& row = format_row(kernel.info.format);
    const FormatFacts facts(m);
    try {
      row.estimate(facts, precision, format_params);
    } catch (const Error&) {
      return std::nullopt;
    }
    Progress progress;
    p.format = row.build(facts, precision, RealView::real_part, format_params, progress);
  }
  if (kernel.info.operation == Operation::axpy) scaling.beta = 1;
  const Csr& a = *m.csr;
  p.x = some_vector(input_size(kernel.info.operation, a.rows(), a.cols()));
  p.y = some_vector(output_size(kernel.info.operation, a.rows(), a.cols()));
  std::reverse(p.y.begin(), p.y.end());
  p.inputs = {p.format, precision, params, p.x, scaling.alpha, scaling.beta, p.y};
  p.expected = expected_of(kernel.info, a, p.format.get(), p.inputs);
  return p;
}

// Of each entry.
inline std::vector<std::int32_t> columns_of(const Csr& a) {
  std::vector<std::int32_t> columns;
  for (index_t k = 0; k < a.nnz(); ++k)
    columns.push_back(static_cast<std::int32_t>(a.columns()[static_cast<std::size_t>(k)]));
  return columns;
}

// Runs every block of every launch.
inline std::vector<double> emulated(EmulatedProduct& product, bool traced = false) {
  for (std::size_t launch = 0; launch < product.launches().size(); ++launch)
    for (std::int64_t block = 0; block < product.launches()[launch].grid; ++block) {
      simt::BlockTrace trace;
      product.emulate_block(static_cast<int>(launch), block, traced ? &trace : nullptr);
    }
  return product.y();
}

// Corners of a kernel's own parameters with plain loads, the choices between them, then every way but constant to ask
// the caches.
inline std::vector<ParamSet> kernel_corners(const KernelInfo& kernel) {
  std::vector<ParamSpec> own;
  for (const ParamSpec& spec : kernel.params)
    if (spec.id != "x_cache" && spec.id != "matrix_cache") own.push_back(spec);
  std::vector<ParamSet> corners = parameter_corners(own);
  for (const ParamSpec& spec : own)
    if (spec.type == ParamSpec::Type::choice)
      for (double v = spec.min + 1; v < spec.max; ++v) corners.push_back({{spec.id, v}});
  for (int policy = 1; policy <= 3 && own.size() != kernel.params.size(); ++policy) {
    corners.push_back({{"x_cache", policy}});
    if (own.size() + 1 != kernel.params.size()) corners.back()["matrix_cache"] = 4 - policy;
  }
  return corners;
}

// A kernel's format with its defaults, and each of the format's parameters at its ends.
inline std::vector<ParamSet> format_corners(const KernelInfo& kernel) {
  std::vector<ParamSet> corners{ParamSet{}};
  if (kernel.format.empty()) return corners;
  for (const ParamSpec& spec : format_row(kernel.format).info.params)
    for (double v : std::set<double>{spec.min, spec.max})
      if (v != spec.def) corners.push_back({{spec.id, v}});
  return corners;
}

// Triangles around node 0: so many that their colours are more than 64, and three nodes each, which no kernel was
// compiled for. Every entry is the sum of its elements' parts, all of them exact in f32.
inline Matrix fan_of_triangles(index_t elements) {
  ElementMatrices e;
  e.elements = elements, e.nodes = 3;
  std::vector<std::int32_t> map;
  std::map<std::pair<index_t, index_t>, double> sum;
  for (index_t t = 0; t < elements; ++t) {
    const index_t nodes[] = {0, t + 1, t + 2};
    for (const index_t row : nodes) {
      map.push_back(static_cast<std::int32_t>(row));
      for (const index_t column : nodes) {
        e.matrices.push_back(some_value(t, 3 * row + column));
        sum[{row, column}] += e.matrices.back();
      }
    }
  }
  e.map = Indices(std::move(map));
  std::vector<std::vector<index_t>> rows(static_cast<std::size_t>(elements) + 2);
  for (const auto& [place, value] : sum) rows[static_cast<std::size_t>(place.first)].push_back(place.second);
  Matrix m;
  m.csr =
      std::make_shared<const Csr>(from_rows(elements + 2, rows, [&](index_t r, index_t c) { return sum.at({r, c}); }));
  m.elements = std::make_shared<const ElementMatrices>(std::move(e));
  return m;
}

// The shapes; matrices that keep their elements, of 4, 9, 16, 25 and 3 nodes each; and a mesh that is more than one
// packet of PKT.
inline std::vector<std::pair<std::string, Matrix>> product_matrices() {
  std::vector<std::pair<std::string, Matrix>> all;
  for (Shape& shape : shapes()) {
    Matrix m;
    m.csr = std::make_shared<const Csr>(std::move(shape.matrix));
    all.emplace_back(shape.name, std::move(m));
  }
  Progress progress;
  all.emplace_back("fem", generate("fem_quad?nx=6&ny=5&degree=2", progress));
  for (const char* degree : {"1", "3", "4"})
    all.emplace_back(std::string("fem") + degree,
                     generate(std::string("fem_quad?nx=3&ny=2&degree=") + degree, progress));
  all.emplace_back("triangles", fan_of_triangles(150));
  all.emplace_back("mesh", generate("laplace5?nx=50&ny=45", progress));
  return all;
}

}  // namespace warpspy::testing
