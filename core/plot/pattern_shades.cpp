#include "core/plot/pattern_shades.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/plot/cell_colours.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kTurns = 6;      // colours that blocks, warps and slices use in turn
constexpr int kMostParts = 4;  // parts of a format that have different colours

// Okabe and Ito's colours, in an order in which neighbours differ most.
Color turn_color(int k) {
  constexpr Color all[kTurns] = {rgb(0x0072B2), rgb(0xE69F00), rgb(0x009E73),
                                 rgb(0xCC79A7), rgb(0x56B4E9), rgb(0xD55E00)};
  return all[k % kTurns];
}
// A part has a colour; neighbouring groups of a part differ in lightness.
Color part_color(int k) {
  constexpr Color all[kMostParts] = {rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0xCC79A7)};
  const Color c = all[k / 2 % kMostParts];
  return k % 2 ? mix(c, rgb(0xFFFFFF), 0.45) : c;
}
// The colours of memory levels, the same everywhere: L1 green, L2 blue, DRAM vermilion.
Color source_color(int k) {
  constexpr Color all[] = {rgb(0x8A8A8A), rgb(0xCC79A7), rgb(0x009E73), rgb(0x0072B2), rgb(0xE69F00), rgb(0xD55E00)};
  return all[k];
}

std::int64_t warp_of(const EntryTrace& t, const EntryRead& e) {
  return e.block * std::max(1, t.warps_per_block) + e.warp;
}

double block(const EntryTrace&, const EntryRead& e) { return e.ran() ? static_cast<double>(e.block % kTurns) : kNone; }
double warp(const EntryTrace& t, const EntryRead& e) {
  return e.ran() ? static_cast<double>(warp_of(t, e) % kTurns) : kNone;
}
double lane(const EntryTrace&, const EntryRead& e) { return e.ran() ? e.lane : kNone; }
double part(const EntryTrace& t, const EntryRead& e) {
  const bool divided = e.part < t.parts.size() && t.parts[e.part].padding.size() > 1;
  return 2 * std::min<int>(e.part, kMostParts - 1) + (divided ? e.group % 2 : 0);
}
double padding(const EntryTrace& t, const EntryRead& e) {
  if (e.part >= t.parts.size() || static_cast<std::size_t>(e.group) >= t.parts[e.part].padding.size()) return kNone;
  return 100.0 * static_cast<double>(t.parts[e.part].padding[static_cast<std::size_t>(e.group)]);
}
double x_sectors(const EntryTrace&, const EntryRead& e) { return e.x_lanes > 0 ? e.x_sectors : kNone; }
double value_sectors(const EntryTrace&, const EntryRead& e) { return e.value_lanes > 0 ? e.value_sectors : kNone; }
double x_source(const EntryTrace&, const EntryRead& e) { return e.ran() ? static_cast<double>(e.x) : kNone; }

std::string plural(const std::string& word) { return word + (word.ends_with('s') ? "" : "s"); }

std::string part_name(const EntryTrace& t, int k) {
  const auto p = static_cast<std::size_t>(k / 2);
  if (p >= t.parts.size()) return "";
  if (t.parts[p].padding.size() <= 1) return k % 2 ? "" : t.parts[p].name;
  if (k % 2) return "every second";
  return t.parts.size() == 1 || t.parts[p].name == plural(t.parts[p].group)
             ? plural(t.parts[p].group)
             : t.parts[p].name + ", " + plural(t.parts[p].group);
}
std::string source_name(const EntryTrace&, int k) {
  constexpr const char* names[] = {"", "passed on", "L1", "L2", "DRAM, first touch", "DRAM again"};
  return names[k];
}

constexpr PatternShade kShades[] = {
    {.id = "block",
     .label = "Owner: block",
     .help = "Which thread block reads an entry. Blocks take six colours in turn.",
     .unit = "block",
     .classes = kTurns,
     .value = block,
     .color = turn_color},
    {.id = "warp",
     .label = "Owner: warp",
     .help = "Which warp reads an entry. Warps take six colours in turn.",
     .unit = "warp",
     .classes = kTurns,
     .value = warp,
     .color = turn_color},
    {.id = "lane",
     .label = "Owner: lane",
     .help = "Which lane of its warp reads an entry, 0 to 31.",
     .unit = "lane",
     .low = 0,
     .high = 31,
     .value = lane},
    {.id = "part",
     .label = "Storage part",
     .help =
         "In which part of the format an entry is stored (ELL or COO of a hybrid), and where a slice, a packet or a "
         "block ends.",
     .unit = "storage",
     .classes = 2 * kMostParts,
     .value = part,
     .name = part_name,
     .of_blocks = false,
     .color = part_color},
    {.id = "padding",
     .label = "Padding around it",
     .help = "The share of slots that hold no entry in the slice, packet or part where an entry is stored.",
     .unit = "% padding",
     .low = 0,
     .high = 100,
     .value = padding,
     .of_blocks = false},
    {.id = "x_sectors",
     .label = "Sectors per request: x",
     .help = "How many sectors of 32 bytes the request took that brought an entry's element of x, for up to 32 lanes.",
     .unit = "sectors",
     .low = 1,
     .high = 32,
     .value = x_sectors},
    {.id = "value_sectors",
     .label = "Sectors per request: values",
     .help = "How many sectors of 32 bytes the request took that brought an entry's value, for up to 32 lanes.",
     .unit = "sectors",
     .low = 1,
     .high = 32,
     .value = value_sectors},
    {.id = "x_source",
     .label = "Reuse of x",
     .help = "Where an entry's element of x came from: L1, L2, DRAM for the first time or once more; or passed on by "
             "a register or shared memory. Caches begin empty.",
     .unit = "where x came from",
     .classes = 6,
     .value = x_source,
     .name = source_name,
     .color = source_color},
};

std::uint32_t pixel_of(Color c) {
  return 0xff000000u | static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.g) << 8 | c.r;
}

// The cell of an index in [first, last), with the same edges as count_grid().
index_t cell_of(index_t at, index_t first, index_t last, int cells) {
  return ((at - first + 1) * cells - 1) / (last - first);
}

// 256 colours of a scale.
std::vector<std::uint32_t> scale_colors(const Theme& theme) {
  std::vector<std::uint32_t> levels;
  for (std::uint32_t k = 0; k < 256; ++k) levels.push_back(1 + k * 999 / 255);
  return shade(levels, 1000, Shading::linear, Colormap::viridis, pixel_of(theme.ground), theme.dark);
}

double place_on(const PatternShade& s, double v) { return std::clamp((v - s.low) / (s.high - s.low), 0.0, 1.0); }

}  // namespace

std::span<const PatternShade> pattern_shades() { return kShades; }

const PatternShade* pattern_shade(const std::string& id) {
  for (const PatternShade& s : kShades)
    if (id == s.id) return &s;
  return nullptr;
}

Color not_run_color(const Theme& theme) { return mix(theme.ground, theme.ink, 0.22); }

Color shade_color(const PatternShade& shade, double value, const Theme& theme) {
  if (std::isnan(value)) return not_run_color(theme);
  if (shade.classes > 0) return shade.color(static_cast<int>(value));
  static thread_local std::pair<bool, std::vector<std::uint32_t>> colors;
  if (colors.second.empty() || colors.first != theme.dark) colors = {theme.dark, scale_colors(theme)};
  return color_of_pixel(colors.second[static_cast<std::size_t>(std::lround(place_on(shade, value) * 255))]);
}

std::vector<std::uint32_t> shade_entries(const Csr& a, const EntryTrace& trace, const PatternShade& shade,
                                         const Window& window, int width, int height,
                                         std::span<const std::uint32_t> counts, std::uint32_t ground,
                                         const Theme& theme) {
  const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const auto classes = static_cast<std::size_t>(std::max(1, shade.classes));
  std::vector<std::uint32_t> found(cells * classes);  // for each cell and class: its entries, or those with a value
  std::vector<float> sums(shade.classes > 0 ? 0 : cells);
  const index_t row0 = std::max<index_t>(0, window.row0), row1 = std::min(a.rows(), window.row1);
  const auto rows = a.row_ptr();
  const auto at_position = [](const EntryRead& e, index_t position) { return e.position < position; };
  auto e = row0 < row1 ? std::lower_bound(trace.entries.begin(), trace.entries.end(),
                                          rows[static_cast<std::size_t>(row0)], at_position)
                       : trace.entries.end();
  index_t row = row0;
  a.columns().visit([&](auto columns) {
    for (; e != trace.entries.end() && e->position < rows[static_cast<std::size_t>(row1)]; ++e) {
      while (rows[static_cast<std::size_t>(row) + 1] <= e->position) ++row;
      const index_t col = columns[static_cast<std::size_t>(e->position)];
      if (col < window.col0 || col >= window.col1) continue;
      const double v = shade.value(trace, *e);
      if (std::isnan(v)) continue;
      const auto cell = static_cast<std::size_t>(cell_of(row, window.row0, window.row1, height) * width +
                                                 cell_of(col, window.col0, window.col1, width));
      if (shade.classes > 0) {
        ++found[cell * classes + static_cast<std::size_t>(v)];
      } else {
        ++found[cell];
        sums[cell] += static_cast<float>(v);
      }
    }
  });
  const std::vector<std::uint32_t> scale = shade.classes > 0 ? std::vector<std::uint32_t>() : scale_colors(theme);
  const std::uint32_t not_run = pixel_of(not_run_color(theme));
  std::vector<std::uint32_t> pixels(cells, ground);
  for (std::size_t c = 0; c < cells; ++c) {
    if (shade.classes > 0) {
      const auto first = found.begin() + static_cast<std::ptrdiff_t>(c * classes);
      const auto most = std::max_element(first, first + static_cast<std::ptrdiff_t>(classes));
      if (*most > 0)
        pixels[c] = pixel_of(shade.color(static_cast<int>(most - first)));
      else if (counts[c] > 0)
        pixels[c] = not_run;
    } else if (found[c] > 0) {
      const double mean = static_cast<double>(sums[c]) / found[c];
      pixels[c] = scale[static_cast<std::size_t>(std::lround(place_on(shade, mean) * 255))];
    } else if (counts[c] > 0) {
      pixels[c] = not_run;
    }
  }
  return pixels;
}

std::vector<ShadeKey> shade_keys(const PatternShade& shade, const EntryTrace& trace) {
  std::vector<ShadeKey> keys;
  std::vector<bool> there(static_cast<std::size_t>(std::max(1, shade.classes)));
  bool without = shade.of_blocks && trace.share < 1;
  for (const EntryRead& e : trace.entries) {
    const double v = shade.value(trace, e);
    if (std::isnan(v))
      without = true;
    else if (shade.classes > 0)
      there[static_cast<std::size_t>(v)] = true;
  }
  for (int k = 0; k < shade.classes; ++k) {
    if (!there[static_cast<std::size_t>(k)]) continue;
    const std::string name = shade.name ? shade.name(trace, k) : std::to_string(k);
    if (!name.empty()) keys.push_back({name, static_cast<double>(k)});
  }
  if (without) keys.push_back({shade.of_blocks && trace.share < 1 ? "not run" : "none", kNone});
  return keys;
}

std::string shade_caption(const PatternShade& shade, bool one_entry_per_cell) {
  std::string text = shade.unit;
  if (!one_entry_per_cell) text += shade.classes > 0 ? ", the most frequent of a cell" : ", mean of a cell";
  return shade.of_blocks ? text + ", modelled" : text;
}

std::vector<std::pair<std::string, std::string>> describe_read(const EntryTrace& trace, const EntryRead& read) {
  std::vector<std::pair<std::string, std::string>> lines;
  const auto request = [](int sectors, int lanes) {
    return std::to_string(sectors) + (sectors == 1 ? " sector of " : " sectors of ") + std::to_string(lanes) +
           (lanes == 1 ? " lane" : " lanes");
  };
  if (read.ran()) {
    const std::string launch = read.launch > 0 ? ", launch " + std::to_string(read.launch + 1) : std::string();
    lines.emplace_back("read by", "warp " + std::to_string(read.warp) + " of block " + std::to_string(read.block) +
                                      ", lane " + std::to_string(read.lane) + launch);
    lines.emplace_back("its value", request(read.value_sectors, read.value_lanes));
    constexpr const char* from[] = {
        "not known",      "passed on by a register or shared memory", "from L1", "from L2", "from DRAM, first touch",
        "from DRAM again"};
    const std::string x = from[static_cast<int>(read.x)];
    lines.emplace_back("its x", read.x_lanes > 0 ? request(read.x_sectors, read.x_lanes) + ", " + x : x);
  } else {
    lines.emplace_back("read by", "a block that did not run");
  }
  if (read.part >= trace.parts.size()) return lines;
  const EntryTrace::Part& part = trace.parts[read.part];
  std::string text = part.name;
  if (!part.group.empty()) text += ", " + part.group + " " + std::to_string(read.group + 1);
  if (static_cast<std::size_t>(read.group) < part.padding.size())
    text += ", " + percent(static_cast<double>(part.padding[static_cast<std::size_t>(read.group)])) + " padding";
  lines.emplace_back("stored in", text);
  return lines;
}

Plot shaded_spy_figure(const Matrix& m, const CountGrid& counts, const EntryTrace& trace, const PatternShade& shade,
                       const Theme& theme) {
  Plot plot = spy_figure(m, counts, {}, theme);
  plot.subtitle = std::string(shade.label) + ": " + (shade.of_blocks ? trace.kernel : trace.format) +
                  (shade.of_blocks ? " on " + trace.gpu + " (modelled)" : "");
  for (const std::string& note : trace.notes) plot.subtitle += "; " + note;
  const std::uint32_t ground = pixel_of(theme.ground);
  const Window& w = counts.window;
  auto pixels = std::make_shared<const std::vector<std::uint32_t>>(
      shade_entries(*m.csr, trace, shade, w, counts.width, counts.height, counts.counts, ground, theme));
  plot.images.at(0).rgba = std::move(pixels);
  const bool single = w.row1 - w.row0 <= counts.height && w.col1 - w.col0 <= counts.width;
  ColorBar bar;
  bar.label = shade_caption(shade, single);
  if (shade.classes == 0) {
    bar.rgba = scale_colors(theme);
    bar.ticks = {
        {0, short_number(shade.low)}, {0.5, short_number((shade.low + shade.high) / 2)}, {1, short_number(shade.high)}};
  } else {
    const std::vector<ShadeKey> keys = shade_keys(shade, trace);
    bar.classes = true;
    const auto n = static_cast<double>(std::max<std::size_t>(1, keys.size()));
    for (std::size_t k = 0; k < keys.size(); ++k) {
      for (int i = 0; i < 24; ++i) bar.rgba.push_back(pixel_of(shade_color(shade, keys[k].value, theme)));
      bar.ticks.emplace_back((static_cast<double>(k) + 0.5) / n, keys[k].text);
    }
  }
  if (!bar.rgba.empty()) plot.colorbar = std::move(bar);
  return plot;
}

}  // namespace warpspy::plot
