#include "kernels/solve/share.hpp"

#include <span>
#include <vector>

namespace warpspy {
namespace {

std::vector<double> own_of(std::span<const double> whole, const Part& part) {
  std::vector<double> own;
  if (whole.empty()) return own;
  own.reserve(part.rows.size());
  for (const index_t row : part.rows) own.push_back(whole[static_cast<std::size_t>(row)]);
  return own;
}

double sum_of_products(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

LinearSystem system_of_part(const LinearSystem& whole, const Part& part) {
  LinearSystem s{.matrix = part.local, .precision = whole.precision};
  s.b = own_of(whole.b, part), s.x0 = own_of(whole.x0, part);
  s.b_norm = whole.b_norm;
  s.preconditioner = whole.preconditioner, s.polynomial = whole.polynomial;
  s.inverse = own_of(whole.inverse, part);
  return s;
}

IterationInputs inputs_of_part(const IterationInputs& whole, const LinearSystem& system, const Part& part, int gpus,
                               int gpu) {
  IterationInputs in{system,
                     whole.options,
                     whole.unit,
                     own_of(whole.r, part),
                     own_of(whole.u, part),
                     own_of(whole.w, part),
                     own_of(whole.x, part)};
  in.share = {gpus, gpu, sum_of_products(whole.r, whole.r), 0, 0};
  in.share.rz = sum_of_products(whole.r, whole.u.empty() ? whole.x : whole.u);
  if (!whole.w.empty()) in.share.wu = sum_of_products(whole.w, whole.u);
  return in;
}

}  // namespace warpspy
