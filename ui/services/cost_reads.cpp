// Computes the size of formats for a matrix, and the matrix's small picture.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "ui/services/reads.hpp"

namespace warpspy::ui {

namespace {

constexpr int kThumbnail = 40;  // cells of its longer side, at most

// The level of the pyramid at which a side has at most `most` cells.
int level_for(index_t extent, int most) {
  int k = 0;
  while ((extent >> k) + ((extent & ((index_t{1} << k) - 1)) != 0) > most) ++k;
  return k;
}

FormatCost cost_of(const FormatRow& row, const SmallestReads& of, const ParamSet& params, const Budget& budget) {
  FormatCost out;
  out.format = row.info.id;
  out.params = params;
  try {
    out.estimate = row.estimate(*of.facts, of.precision, params);
    out.minimum_bytes = minimum_bytes(*out.estimate, of.facts->csr(), of.precision);
    const Fit fit = fits(*out.estimate, budget);
    out.fits = fit.fits;
    out.reason = fit.reason;
  } catch (const Error& e) {
    out.problem = e.reason + (e.remedy.empty() ? "" : "; " + e.remedy);
    out.fits = false;
  }
  return out;
}

}  // namespace

std::shared_ptr<const Thumbnail> thumbnail_of(const ThumbnailReads& of, Progress&) {
  const Pyramid& p = *of.pyramid;
  const Csr& a = p.matrix();
  int kr = level_for(a.rows(), kThumbnail), kc = level_for(a.cols(), kThumbnail);
  // Cells are square unless one side is much longer than the other.
  if (std::abs(kr - kc) <= 3) kr = kc = std::max(kr, kc);
  const auto cells = [](index_t extent, int k) { return static_cast<int>(((extent - 1) >> k) + 1); };
  auto out = std::make_shared<Thumbnail>();
  if (a.rows() == 0 || a.cols() == 0) return out;
  out->width = cells(a.cols(), kc), out->height = cells(a.rows(), kr);
  const Tile tile = p.tile({kr, kc, 0, 0});
  std::uint32_t most = 0;
  for (int y = 0; y < out->height; ++y)
    for (int x = 0; x < out->width; ++x) {
      out->counts.push_back(tile.counts[static_cast<std::size_t>(y * kTile + x)]);
      most = std::max(most, out->counts.back());
    }
  const Palette& colours = palette_of(of.theme);
  const Color ground = colours.control;
  const std::uint32_t rgba =
      0xff000000u | static_cast<std::uint32_t>(ground.b) << 16 | static_cast<std::uint32_t>(ground.g) << 8 | ground.r;
  out->rgba = shade(out->counts, most, Shading::log, of.map, rgba, colours.dark);
  return out;
}

std::optional<SmallestFormat> smallest_of(const SmallestReads& of, Progress& p) {
  std::optional<SmallestFormat> best;
  for (const auto& row : formats()) {
    p.check();
    if (row.slow_estimate) continue;
    try {
      const std::size_t bytes = row.estimate(*of.facts, of.precision, checked_params(row.info.params, {})).bytes();
      if (!best || bytes < best->bytes) best = {row.info.id, bytes, of.precision};
    } catch (const Error&) {
      // The matrix does not fit into this format; its row in the table says why.
    }
  }
  return best;
}

CostReads cost_reads(const AppState& s, const OpenMatrix& m) {
  CostReads reads;
  reads.of = {m.format_facts, m.matrix, s.knobs.precision};
  for (const auto& row : formats()) reads.params[row.info.id] = format_params_of(s, row.info.id);
  reads.memory = s.memory;
  const auto* d = s.device();
  if (d && d->available && d->spec.memory_bytes > 0) reads.device_bytes = d->spec.memory_bytes, reads.device = d->name;
  for (const BuiltFormat& b : m.built) reads.built.push_back(b.arrays.get());
  return reads;
}

Budget budget_of(const CostReads& of) {
  const Csr& a = *of.of.matrix->csr;
  const double vectors = static_cast<double>(a.rows() + a.cols()) * bytes_of(of.of.precision);
  return budget_now(of.memory, of.device_bytes, of.device, vectors);
}

std::shared_ptr<FormatCosts> costs_of(const CostReads& of, Progress& p) {
  auto out = std::make_shared<FormatCosts>();
  out->precision = of.of.precision;
  out->budget = budget_of(of);
  for (const auto& row : formats()) {
    p.check();
    const ParamSet& params = of.params.at(row.info.id);
    FormatCost later;
    later.format = row.info.id, later.params = params, later.waiting = true;
    out->rows.push_back(row.slow_estimate ? later : cost_of(row, of.of, params, out->budget));
  }
  return out;
}

SlowReads slow_reads(const OpenMatrix& m) {
  SlowReads reads{{m.format_facts, m.matrix, m.costs->precision}, {}, m.costs->budget};
  for (const FormatCost& row : m.costs->rows)
    if (format_row(row.format).slow_estimate) reads.params[row.format] = row.params;
  return reads;
}

std::vector<FormatCost> slow_costs_of(const SlowReads& of, Progress& p) {
  constexpr std::chrono::milliseconds rest(250), nap(10);  // a slider rests if it has not moved for this long
  for (auto left = rest; left.count() > 0; left -= nap) {
    p.check();
    std::this_thread::sleep_for(nap);
  }
  p.stage(kUninterrupted);
  std::vector<FormatCost> out;
  for (const auto& [format, set] : of.params) {
    p.check();
    out.push_back(cost_of(format_row(format), of.of, set, of.budget));
  }
  return out;
}

}  // namespace warpspy::ui
