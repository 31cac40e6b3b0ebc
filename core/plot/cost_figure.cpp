#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/plot/cell_colours.hpp"
#include "core/plot/many_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr std::size_t kMostCandidates = 8;  // the most that can be distinguished
constexpr int kPointsPerDecade = 8;         // points of a line, which is curved on log axes

struct CandidateLine {
  const BestCandidate* of;
  std::size_t place;  // among all candidates
  ProductCost cost;
};

// First the candidates that are cheapest for some number of products, in that order. Then the others, the fastest
// first.
std::vector<CandidateLine> lines_of_candidates(const BestRun& b) {
  std::vector<std::size_t> order;
  for (const CheapestFor& c : b.cheapest) order.push_back(c.candidate);
  for (std::size_t k = 0; k < b.candidates.size(); ++k)
    if (std::find(order.begin(), order.end(), k) == order.end()) order.push_back(k);
  std::vector<CandidateLine> shown;
  for (const std::size_t k : order)
    if (const auto cost = b.candidates[k].cost(); cost && shown.size() < kMostCandidates)
      shown.push_back({&b.candidates[k], k, *cost});
  return shown;
}

// A number of products to the right of all crossings.
double most_shown(const BestRun& b) {
  double last = 100;
  for (const CheapestFor& c : b.cheapest)
    if (std::isfinite(c.past)) last = std::max(last, c.past);
  if (b.products != for_ever) last = std::max(last, static_cast<double>(b.products));
  return std::pow(10, std::ceil(std::log10(last) + 0.5));
}

std::vector<double> places_between(double from, double to) {
  std::vector<double> x = {from};
  for (double k = std::floor(std::log10(from) * kPointsPerDecade) + 1; std::pow(10, k / kPointsPerDecade) < to; ++k)
    x.push_back(std::pow(10, k / kPointsPerDecade));
  x.push_back(to);
  return x;
}

std::string time_text(double us) {
  if (us >= 1e6) return significant(us / 1e6, 3) + " s";
  return us >= 1e3 ? significant(us / 1e3, 3) + " ms" : significant(us, 3) + " \xC2\xB5s";
}

std::string card_of(const CandidateLine& s, double n) {
  const RunRecord& r = *s.of->run;
  return s.of->name + "\n" + products_text(static_cast<ProductCount>(n)) + ": " + time_text(s.cost.total(n)) +
         "\npreparation " + time_text(s.cost.preparation) + " (" + name_of(s.of->preparation.provenance) +
         ")\na product " + time_text(s.cost.product) + " (" + name_of(r.time.provenance) + ")";
}

void add_candidate(Plot& plot, const CandidateLine& s, std::size_t k, std::size_t count, double most,
                   const Theme& theme) {
  constexpr std::size_t named_beside = 5;  // of more lines, a name beside one would be nearer to others
  Series line, marks;
  line.color = marks.color = color_of_rank(k, count, theme);
  line.width = 1.6, line.dashed = k / 4 % 2 == 1;
  if (count <= named_beside) line.label = s.of->name;
  line.x = places_between(1, most);
  for (const double n : line.x) line.y.push_back(s.cost.total(n));
  marks.kind = Series::Kind::points, marks.mark = mark_in_turn(k), marks.width = 4;
  marks.fill = fill_of(s.of->run->time.provenance);
  for (double n = 1; n <= most * 1.0001; n *= 10) {
    marks.x.push_back(n), marks.y.push_back(s.cost.total(n)), marks.ids.push_back(s.of->run->id);
    marks.tooltips.push_back(card_of(s, n));
  }
  Series entry;  // line and mark together
  entry.name = s.of->name, entry.color = line.color, entry.width = line.width, entry.dashed = line.dashed;
  entry.mark = marks.mark, entry.fill = marks.fill;
  plot.series.push_back(std::move(entry));
  plot.series.push_back(std::move(line));
  plot.series.push_back(std::move(marks));
}

// The cheapest candidate for each number, as a band below the lines.
void add_envelope(Plot& plot, const BestRun& b, double most, const Theme& theme) {
  Series band;
  band.color = mix(theme.muted, theme.ground, 0.55), band.width = 7, band.faint = true;
  band.name = "cheapest";
  for (const CheapestFor& c : b.cheapest) {
    const ProductCost cost = *b.candidates[c.candidate].cost();
    for (const double n : places_between(std::max(1.0, c.from), std::min(c.past, most)))
      band.x.push_back(n), band.y.push_back(cost.total(n));
  }
  if (!band.x.empty()) plot.series.push_back(std::move(band));
}

void add_crossings(Plot& plot, const BestRun& b, const Theme& theme) {
  Series marks;
  marks.kind = Series::Kind::points, marks.mark = Mark::circle, marks.fill = Fill::half, marks.width = 5.5;
  marks.color = theme.ink;
  for (std::size_t k = 0; k + 1 < b.cheapest.size(); ++k) {
    const CheapestFor& c = b.cheapest[k];
    const BestCandidate &here = b.candidates[c.candidate], &next = b.candidates[b.cheapest[k + 1].candidate];
    const double at = std::max(1.0, c.past);
    marks.x.push_back(at), marks.y.push_back(here.cost()->total(at)), marks.ids.push_back(next.run->id);
    marks.tooltips.push_back(here.name + " up to " + products_text(static_cast<ProductCount>(c.last)) + ", then " +
                             next.name + "\nthere " + time_text(here.cost()->total(at)));
    Series rule;
    rule.kind = Series::Kind::vline, rule.x = {at}, rule.label = short_number(c.last), rule.faint = true;
    rule.color = theme.muted, rule.width = 0.8, rule.dashed = true;
    plot.series.push_back(std::move(rule));
  }
  if (!marks.x.empty()) plot.series.push_back(std::move(marks));
}

void add_asked(Plot& plot, const BestRun& b, const Theme& theme) {
  if (b.products == for_ever) return;
  Series rule;
  rule.kind = Series::Kind::vline, rule.x = {static_cast<double>(b.products)};
  rule.label = "N = " + short_number(static_cast<double>(b.products));
  rule.color = theme.ink, rule.width = 1.4;
  plot.series.push_back(std::move(rule));
}

void add_numbers(Plot& plot, const BestRun& b) {
  plot.columns = {"kernel",     "candidate",     "run",         "preparation_us",         "conversion_us", "setup_us",
                  "product_us", "products_from", "products_to", "preparation_provenance", "provenance",    "reason"};
  for (std::size_t k = 0; k < b.candidates.size(); ++k) {
    const BestCandidate& c = b.candidates[k];
    const PreparationTime& p = c.preparation;
    const auto at = std::find_if(b.cheapest.begin(), b.cheapest.end(), [&](const auto& e) { return e.candidate == k; });
    const bool best = at != b.cheapest.end();
    plot.rows.push_back({c.run->request.kernel, c.name, std::to_string(c.run->id), p.us ? exact(*p.us) : "",
                         p.us ? exact(p.conversion_us) : "", p.us ? exact(p.setup_us) : "", exact(c.run->time.value),
                         best ? exact(at->first) : "", best ? std::isinf(at->last) ? "ever" : exact(at->last) : "",
                         p.us ? name_of(p.provenance) : "unavailable", name_of(c.run->time.provenance), p.reason});
  }
}

}  // namespace

Plot cost_figure(const BestRun& b, const std::string& device, const Theme& theme) {
  const RunRecord& r = *b.best;
  Plot plot;
  plot.title = "Time over the number of products: " + r.matrix_name;
  plot.subtitle = std::string(name_of(r.request.precision)) + ", " + name_of(r.request.cache_state) +
                  (b.operation == Operation::product ? "" : std::string(", ") + name_of(b.operation)) + ", " + device;
  plot.x.label = "number of products N";
  plot.y.label = "time with preparation (\xC2\xB5s)";
  plot.x.scale = plot.y.scale = Scale::log10;
  add_numbers(plot, b);
  const std::vector<CandidateLine> shown = lines_of_candidates(b);
  const double most = most_shown(b);
  plot.x.min = 1, plot.x.max = most;
  double low = 1e300, high = 0;
  for (const CandidateLine& s : shown) low = std::min(low, s.cost.total(1)), high = std::max(high, s.cost.total(most));
  if (shown.empty()) {
    plot.notes.push_back({std::sqrt(most), std::sqrt(10), "no run tells its preparation", theme.muted});
    plot.y.min = 1, plot.y.max = 10;
  } else {
    plot.y.min = low / 1.6, plot.y.max = high * 1.6;
  }
  add_envelope(plot, b, most, theme);
  for (std::size_t k = 0; k < shown.size(); ++k) add_candidate(plot, shown[k], k, shown.size(), most, theme);
  add_crossings(plot, b, theme);
  add_asked(plot, b, theme);
  plot.foot.push_back(cost_text(b));
  plot.foot.push_back(
      std::string("Preparation, conversion from CSR and what the kernel makes of it, is measured; the copy to "
                  "the device is not part of it. Times of products are ") +
      name_of(r.time.provenance) + ".");
  const auto known = static_cast<std::size_t>(std::count_if(
      b.candidates.begin(), b.candidates.end(), [](const auto& c) { return c.preparation.us.has_value(); }));
  if (known > shown.size())
    plot.foot.push_back(std::to_string(shown.size()) + " of " + std::to_string(known) +
                        " candidates are drawn; the table has all.");
  return plot;
}

}  // namespace warpspy::plot
