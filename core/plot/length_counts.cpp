#include "core/plot/length_counts.hpp"

#include <algorithm>
#include <cmath>

#include "core/plot/scale.hpp"

namespace warpspy::plot {

std::vector<LengthCount> length_counts(const Csr& a, const RowStats& stats) {
  std::vector<LengthCount> result;
  if (!stats.histogram.empty()) {
    for (std::size_t l = 0; l < stats.histogram.size(); ++l)
      if (stats.histogram[l] > 0) result.push_back({static_cast<index_t>(l), stats.histogram[l]});
    return result;
  }
  std::vector<index_t> lengths(static_cast<std::size_t>(a.rows()));
  for (index_t row = 0; row < a.rows(); ++row) lengths[static_cast<std::size_t>(row)] = a.row_length(row);
  std::sort(lengths.begin(), lengths.end());
  for (index_t l : lengths) {
    if (result.empty() || result.back().length != l) result.push_back({l, 0});
    ++result.back().rows;
  }
  return result;
}

double left_of_length(index_t length, bool log) {
  const double l = static_cast<double>(length);
  if (!log) return l - 0.5;
  return length < 2 ? std::sqrt(0.5) : std::sqrt(l * (l - 1));
}

void add_share_curve(Series& curve, const std::vector<LengthCount>& lengths, double rows, const Axis& x) {
  const bool log = x.scale == Scale::log10;
  const auto corner = [&](double at, double share) { curve.x.push_back(at), curve.y.push_back(share); };
  // Steps closer than this are merged: corners within a pixel of each other would make the line look rough.
  constexpr double seen_run = 1.0 / 300;  // of the axis
  double share = 0, last = -1;
  corner(x.min, 0);
  for (const LengthCount& c : lengths) {
    const double at = log && c.length == 0 ? kZeroMiddle : static_cast<double>(c.length);
    const bool apart = last < 0 || fraction(x, at) - last >= seen_run;
    if (apart) corner(at, share), corner(at, share), last = fraction(x, at);
    share += 100 * static_cast<double>(c.rows) / rows;
    curve.y.back() = share;
  }
  corner(x.max, share);
}

}  // namespace warpspy::plot
