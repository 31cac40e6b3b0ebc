#include <algorithm>
#include <functional>
#include <limits>

#include "core/formats/bsr.hpp"
#include "core/formats/evc_hyb.hpp"
#include "core/formats/hyb_r.hpp"
#include "core/formats/sell.hpp"
#include "core/plot/format_figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

using Group = PaddingProfile::Group;

index_t fact(const Estimate& e, const std::string& name, index_t missing) {
  const FormatFact* f = e.fact(name);
  return f ? static_cast<index_t>(f->value) : missing;
}

// Rows that follow one another, added up in at most `most` groups.
class Groups {
 public:
  Groups(index_t rows, int most) : rows_(rows), each_(std::max<index_t>(1, (rows + most - 1) / std::max(1, most))) {
    out_.resize(static_cast<std::size_t>((rows + each_ - 1) / each_));
  }
  Group& of(index_t row) { return out_[static_cast<std::size_t>(row / each_)]; }
  // One row of `length` entries, of which the first `width` slots are in the part that pads.
  void add(index_t row, index_t length, index_t width) {
    Group& g = of(row);
    const index_t in = std::min(length, width);
    ++g.rows;
    g.entries += in, g.padding += width - in, g.rest += length - in;
  }
  std::vector<Group> take() { return std::move(out_); }
  index_t rows() const { return rows_; }

 private:
  index_t rows_, each_;
  std::vector<Group> out_;
};

// Calls f(row, length) for the rows in order of their lengths.
void by_length(const LengthCounts& lengths, bool longest_first, const std::function<void(index_t, index_t)>& f) {
  index_t row = 0;
  for (index_t k = 0; k <= lengths.longest; ++k) {
    const index_t n = longest_first ? lengths.longest - k : k;
    for (index_t i = lengths.rows_of_length(n); i > 0; --i) f(row++, n);
  }
}

struct Input {
  const FormatFacts& facts;
  const ParamSet& params;
  const Estimate& estimate;
  Groups& groups;
  PaddingProfile& out;
};

void natural(const Input& in, const std::function<index_t(index_t length)>& width) {
  const Csr& a = in.facts.csr();
  in.out.order = "rows";
  for (index_t row = 0; row < a.rows(); ++row) in.groups.add(row, a.row_length(row), width(a.row_length(row)));
}

void none(const Input& in) {
  natural(in, [](index_t length) { return length; });
}
void jds(const Input& in) {
  in.out.order = "rows, longest first";
  by_length(in.facts.lengths(), true, [&](index_t row, index_t length) { in.groups.add(row, length, length); });
}
void ell(const Input& in) {
  natural(in, [width = in.facts.lengths().longest](index_t) { return width; });
}
void dia(const Input& in) {
  natural(in, [width = static_cast<index_t>(in.facts.diagonals().size())](index_t) { return width; });
}
void hyb(const Input& in) {
  in.out.rest = "in COO";
  natural(in, [width = fact(in.estimate, "k", 0)](index_t) { return width; });
}

void hyb_r(const Input& in) {
  const index_t parts = fact(in.estimate, "depth", 0);
  if (parts <= 1) {
    in.out.rest = "in COO";
    return natural(in, [width = fact(in.estimate, "k1", 0)](index_t) { return width; });
  }
  in.out.order = "rows, longest first", in.out.rest = "in COO";
  // A part takes its rows from those that have something left after the parts before it.
  std::vector<std::pair<index_t, index_t>> widths;  // longer than this: so many slots more
  index_t skip = 0;
  for (index_t p = 1; p <= parts; ++p) {
    const index_t k = fact(in.estimate, "k" + std::to_string(p), 0);
    widths.emplace_back(p == 1 ? -1 : skip, k);
    skip += k;
  }
  by_length(in.facts.lengths(), true, [&](index_t row, index_t length) {
    index_t width = 0;
    for (const auto& [past, k] : widths) width += length > past ? k : 0;
    in.groups.add(row, length, width);
  });
}

void evc_hyb(const Input& in) {
  const LengthCounts& lengths = in.facts.lengths();
  const EvcHybParams p = params_of(evc_hyb_fields(), in.params);
  const index_t boundary = std::min<index_t>(p.boundary, lengths.longest), split = fact(in.estimate, "split_row", 0);
  in.out.order = "rows, shortest first; CSR right of row " + grouped(split);
  // Whole warps of one length; the rows left over wait for the next longer one.
  index_t row = 0, done = 0, seen = 0, width = 0;
  std::vector<std::pair<index_t, index_t>> ends;  // first row past a group, its width
  for (index_t n = 0; n <= boundary; ++n) {
    seen += lengths.rows_of_length(n);
    const index_t rows = (seen - done) / EvcHybFormat::warp * EvcHybFormat::warp;
    if (rows > 0) ends.emplace_back(done += rows, n);
  }
  std::size_t at = 0;
  by_length(lengths, false, [&](index_t, index_t length) {
    while (at < ends.size() && row >= ends[at].first) ++at;
    width = row < split && at < ends.size()
                ? ends[at].second
                : (length + EvcHybFormat::warp - 1) / EvcHybFormat::warp * EvcHybFormat::warp;
    in.groups.add(row++, length, width);
  });
}

void sell(const Input& in) {
  const Csr& a = in.facts.csr();
  const SellParams p = params_of(sell_fields(), in.params);
  in.out.order = p.sort_window > 1 ? "rows, sorted in windows of " + grouped(p.sort_window) : "rows";
  const index_t window = std::max<index_t>(p.sort_window, p.slice_rows);
  std::vector<index_t> lengths;
  // Windows and slices are powers of two: the larger one ends with a whole number of the smaller one.
  for (index_t first = 0; first < a.rows(); first += window) {
    const index_t last = std::min(a.rows(), first + window);
    lengths.clear();
    for (index_t row = first; row < last; ++row) lengths.push_back(a.row_length(row));
    for (std::size_t w = 0; p.sort_window > 1 && w < lengths.size(); w += static_cast<std::size_t>(p.sort_window))
      std::sort(lengths.begin() + static_cast<std::ptrdiff_t>(w),
                lengths.begin() +
                    static_cast<std::ptrdiff_t>(std::min(lengths.size(), w + static_cast<std::size_t>(p.sort_window))),
                std::greater<>());
    for (std::size_t s = 0; s < lengths.size(); s += static_cast<std::size_t>(p.slice_rows)) {
      const std::size_t end = std::min(lengths.size(), s + static_cast<std::size_t>(p.slice_rows));
      const index_t width = *std::max_element(lengths.begin() + static_cast<std::ptrdiff_t>(s),
                                              lengths.begin() + static_cast<std::ptrdiff_t>(end));
      for (std::size_t i = s; i < end; ++i) in.groups.add(first + static_cast<index_t>(i), lengths[i], width);
    }
  }
}

void bsr(const Input& in) {
  const Csr& a = in.facts.csr();
  const BsrParams p = params_of(bsr_fields(), in.params);
  in.out.order = "rows";
  std::vector<index_t> columns;
  for (index_t first = 0; first < a.rows(); first += p.block_rows) {
    const index_t last = std::min<index_t>(a.rows(), first + p.block_rows);
    block_columns_of(a, first, last, p.block_cols, columns);
    const index_t width = static_cast<index_t>(columns.size()) * p.block_cols;
    for (index_t row = first; row < last; ++row) in.groups.add(row, a.row_length(row), width);
  }
}

struct Row {
  const char* format;
  void (*fill)(const Input&);
};
constexpr Row kProfiles[] = {{"csr", none},        {"coo", none},  {"csc", none}, {"jds", jds},
                             {"ell", ell},         {"dia", dia},   {"hyb", hyb},  {"hyb_r", hyb_r},
                             {"evc_hyb", evc_hyb}, {"sell", sell}, {"bsr", bsr}};

}  // namespace

index_t PaddingProfile::padding() const {
  index_t sum = 0;
  for (const Group& g : groups) sum += g.padding;
  return sum;
}

std::optional<PaddingProfile> padding_profile(const FormatFacts& facts, const std::string& format,
                                              const ParamSet& params, const Estimate& estimate, int most_groups) {
  for (const Row& row : kProfiles) {
    if (format != row.format) continue;
    PaddingProfile profile;
    Groups groups(facts.csr().rows(), most_groups);
    row.fill({facts, params, estimate, groups, profile});
    profile.groups = groups.take();
    return profile;
  }
  return std::nullopt;
}

Plot padding_figure(const std::string& matrix, const std::string& format, const PaddingProfile& profile,
                    const Estimate& estimate, const Theme& theme) {
  Plot plot;
  plot.title = matrix + " in " + format + ": where the padding is";
  plot.subtitle = grouped(estimate.stored) + " slots, " + percent(estimate.padding_ratio()) + " of them padding";
  plot.x.label = profile.order;
  plot.y.label = "slots per row";
  plot.x.integers = true;
  plot.columns = {"first_row", "rows", "entries", "padding", "rest", "provenance"};
  Series entries, padding, rest;
  for (Series* s : {&rest, &padding, &entries}) s->kind = Series::Kind::bars, s->joined = true;
  // Colours that mean no memory level: what is used, what is not, what lies elsewhere.
  entries.color = theme.dark ? rgb(0x56B4E9) : mix(rgb(0x56B4E9), kL2, 0.25);
  padding.color = mix(theme.ground, theme.ink, theme.dark ? 0.3 : 0.2);
  rest.color = mix(rgb(0xB8860B), theme.ground, 0.15);
  entries.name = profile.rest.empty() ? "entries" : "entries in ELL";
  padding.name = "padding";
  rest.name = "entries " + profile.rest;
  double first = 0, ell_top = 0, top = 0;
  bool any_rest = false, any_padding = false;
  for (const Group& g : profile.groups) {
    const double n = static_cast<double>(std::max<index_t>(g.rows, 1));
    const double in = static_cast<double>(g.entries) / n, ell = in + static_cast<double>(g.padding) / n,
                 all = ell + static_cast<double>(g.rest) / n;
    for (Series* s : {&rest, &padding, &entries}) s->x.push_back(first);
    entries.y.push_back(in), padding.y.push_back(ell), rest.y.push_back(all);
    ell_top = std::max(ell_top, ell), top = std::max(top, all);
    any_rest |= g.rest > 0, any_padding |= g.padding > 0;
    plot.rows.push_back({exact(first), std::to_string(g.rows), std::to_string(g.entries), std::to_string(g.padding),
                         std::to_string(g.rest), name_of(Provenance::derived)});
    first += static_cast<double>(g.rows);
  }
  if (profile.groups.empty()) {
    plot.notes.push_back({0.5, 0.5, "the matrix has no rows", theme.muted});
    return plot;
  }
  for (Series* s : {&rest, &padding, &entries}) s->x.push_back(first);
  plot.x.max = std::max(first, 1.0);
  // A few long rows would press the part that pads to the ground.
  const double most = std::max(4 * ell_top, 8.0);
  plot.y.max = 1.06 * std::max(1e-9, any_rest ? std::min(top, most) : top);
  if (plot.y.max <= 0) plot.y.max = 1;
  if (any_rest && top > most) plot.y.label += " (up to " + significant(top, 3) + ", cut off)";
  if (any_rest) plot.series.push_back(std::move(rest));
  if (any_padding) plot.series.push_back(std::move(padding));
  plot.series.push_back(std::move(entries));
  return plot;
}

}  // namespace warpspy::plot
