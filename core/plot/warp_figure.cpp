#include "core/plot/warp_figure.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"
#include "core/run/telling_step.hpp"

namespace warpspy::plot {
namespace {

// No screen has more pixels for them.
constexpr std::size_t most_columns = 2048;

std::uint32_t rgba_of(Color c) {
  return 0xff000000u | static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.g) << 8 | c.r;
}

// Nearly the text's colour: to colour-blind readers a middle grey looks like the green of L1.
Color of_active(const Theme& theme) { return mix(theme.ink, theme.ground, 0.12); }
Color of_idle(const Theme& theme) { return mix(theme.ink, theme.ground, 0.9); }

std::string number(std::uint64_t n) { return grouped(static_cast<index_t>(n)); }

std::string array_of(const WarpTrace& w, const WarpStep& s) {
  if (s.shared >= 0) return w.shared_arrays[static_cast<std::size_t>(s.shared)];
  return s.array < 0 ? "" : w.arrays[static_cast<std::size_t>(s.array)].name;
}

std::string access_text(const WarpTrace& w, const WarpStep& s, const LaneAccess& a) {
  std::string text = array_of(w, s) + "[" + grouped(a.element) + "]";
  if (a.padding) return text + "  padding";
  if (a.entry)
    return text + "  (" + grouped(a.row + w.first) + ", " + grouped(a.column + w.first) + ")  " + entry_text(a.value);
  return text;
}

std::string line_name(const WarpTrace& w, const WarpStep& s, const WarpLine& line) {
  const WarpTrace::Array& array = w.array_places[static_cast<std::size_t>(s.array)];
  const auto from = static_cast<std::int64_t>(line.line * 128) - static_cast<std::int64_t>(array.base);
  const auto size = static_cast<std::int64_t>(array.element_bytes);
  return array_of(w, s) + "[" + grouped(from / size) + " \xE2\x80\xA6 " + grouped((from + 127) / size) + "]";
}

void add_lanes(WarpPanel& p, const WarpTrace& w, const WarpStep& s, const Theme& theme) {
  const LaneAccess* access = w.accesses.data() + s.first_access;
  for (int lane = 0; lane < 32; ++lane) {
    WarpPanel::Lane l;
    if (!(s.active >> lane & 1)) {
      l.idle = true;
      l.color = of_idle(theme);
      l.text = name_of(s.lanes[static_cast<std::size_t>(lane)]);
    } else if (s.shared >= 0) {
      l.color = kShared;
      l.text = access_text(w, s, *access++);
    } else if (s.array < 0) {
      l.color = of_active(theme);
      l.text = name_of(s.op);
    } else {
      const LaneSource source = source_of(w, s, *access);
      l.color = color_of(source.from);
      l.text = access_text(w, s, *access);
      l.brief = array_of(w, s) + "[" + grouped(access->element) + "]";
      l.line = static_cast<int>(source.line);
      l.word = source.word;
      if (access->column >= 0 && w.cols > 0)
        p.entries.push_back(
            {(static_cast<double>(access->column) + 0.5) / static_cast<double>(w.cols),
             access->row < 0 ? -1 : (static_cast<double>(access->row) + 0.5) / static_cast<double>(w.rows), l.color});
      ++access;
    }
    p.lanes.push_back(std::move(l));
  }
}

void add_lines(WarpPanel& p, const WarpTrace& w, const WarpStep& s) {
  for (std::uint32_t k = s.first_line; k < s.first_line + s.lines; ++k) {
    const WarpLine& line = w.requested[k];
    WarpPanel::Line l;
    l.name = line_name(w, s, line);
    l.asked = line.sectors;
    l.words = line.words;
    for (std::size_t i = 0; i < 4; ++i) l.sectors[i] = color_of(line.from[i]);
    p.lines.push_back(std::move(l));
  }
}

std::string from_text(const WarpTraffic& t) {
  std::string text;
  for (std::size_t i = 0; i < t.from.size(); ++i)
    if (t.from[i] > 0)
      text += (text.empty() ? "" : ", ") + number(t.from[i]) + " " + name_of(static_cast<SectorSource>(i));
  return text;
}

std::string sectors_text(const WarpTraffic& t) {
  return counted(static_cast<index_t>(t.sectors), "sector") + " of at least " + number(t.least_sectors);
}

std::string step_text(const WarpTrace& w, std::size_t at) {
  const WarpStep& s = w.steps[at];
  std::string text = "step " + number(at + 1) + " of " + number(w.steps_in_all) + ": " + name_of(s.op);
  if (const std::string array = array_of(w, s); !array.empty()) text += " " + array;
  text += ", " + counted(std::popcount(s.active), "lane");
  if (s.shared >= 0) return text + ", " + bank_text(s);
  if (s.array < 0) return text;
  const WarpTraffic t = traffic_of(w, s);
  return text + ", " + sectors_text(t) + ", " +
         percent(t.sectors > 0 ? s.used_bytes / (32.0 * static_cast<double>(t.sectors)) : 0) + " of bytes used";
}

// Why lines of the step missed the cache, the most common reason first: "8 lines: L1: first touch".
std::string misses_text(const WarpTrace& w, const WarpStep& s) {
  std::vector<std::pair<std::string, int>> reasons;
  for (std::uint32_t k = s.first_line; k < s.first_line + s.lines; ++k)
    for (const std::string& why : reasons_of(w, w.requested[k])) {
      const auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == why; });
      if (known == reasons.end())
        reasons.emplace_back(why, 1);
      else
        ++known->second;
    }
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, reasons.size()); ++k)
    text += (k ? "; " : "") + counted(reasons[k].second, "line") + " missed " + reasons[k].first;
  if (reasons.size() > most) text += "; and " + counted(static_cast<index_t>(reasons.size() - most), "more reason");
  return text;
}

std::vector<std::string> sums_text(const WarpSums& sums) {
  const LaneLedger& l = sums.ledger;
  const auto lanes = static_cast<double>(32 * l.instructions);
  std::string idle;
  for (int s = 1; s < lane_states; ++s)
    if (const auto n = l.lanes[static_cast<std::size_t>(s)])
      idle += (idle.empty() ? "" : ", ") + std::string(name_of(static_cast<LaneState>(s))) + " " +
              percent(static_cast<double>(n) / lanes);
  const WarpTraffic& t = sums.traffic;
  std::string lanes_text = "so far: " + counted(static_cast<index_t>(l.instructions), "instruction");
  if (lanes > 0) lanes_text += ", " + percent(static_cast<double>(l.active()) / lanes) + " of lanes active";
  return {lanes_text + (idle.empty() ? "" : "; idle: " + idle), counted(static_cast<index_t>(t.requests), "request") +
                                                                    ", " + sectors_text(t) +
                                                                    (t.sectors > 0 ? ": " + from_text(t) : "")};
}

// The figure's numbers.
void add_rows(Plot& plot, const WarpTrace& w, std::size_t at, std::size_t last) {
  for (; at <= last && at < w.steps.size(); ++at) {
    const WarpStep& s = w.steps[at];
    const LaneAccess* access = w.accesses.data() + s.first_access;
    for (int lane = 0; lane < 32; ++lane) {
      const bool asks = (s.array >= 0 || s.shared >= 0) && (s.active >> lane & 1);
      const auto place = [](index_t n) { return n < 0 ? std::string() : std::to_string(n); };
      plot.rows.push_back(
          {w.kernel, std::to_string(at), name_of(s.op), w.sites[s.site].name(), array_of(w, s), std::to_string(lane),
           name_of(s.lanes[static_cast<std::size_t>(lane)]), asks ? std::to_string(access->element) : "",
           asks ? place(access->row) : "", asks ? place(access->column) : "",
           asks && s.array >= 0 ? name_of(source_of(w, s, *access).from) : "", name_of(Provenance::modelled)});
      if (asks) ++access;
    }
  }
}

std::vector<std::pair<Color, std::string>> keys_of(const Theme& theme, bool shared) {
  std::vector<std::pair<Color, std::string>> keys;
  for (int i = 0; i < sector_sources; ++i) {
    const auto from = static_cast<SectorSource>(i);
    keys.emplace_back(color_of(from), name_of(from));
  }
  if (shared) keys.emplace_back(kShared, "shared");
  keys.emplace_back(of_active(theme), "no memory");
  keys.emplace_back(of_idle(theme), "idle");
  return keys;
}

WarpPanel panel_of(const SeenWarp& seen, std::size_t step, const Theme& theme) {
  const WarpTrace& w = *seen.trace;
  WarpPanel p;
  p.heading = w.kernel_label + ", warp " + std::to_string(w.place.warp) + " of block " + grouped(w.place.block) +
              (w.launches > 1 ? " of launch " + std::to_string(w.place.launch) : "");
  if (w.steps.empty()) {
    p.facts.push_back("this warp asks for nothing");
    return p;
  }
  step = std::min(step, w.steps.size() - 1);
  const WarpStep& s = w.steps[step];
  p.facts.push_back(step_text(w, step));
  if (std::string misses = misses_text(w, s); !misses.empty()) p.facts.push_back(std::move(misses));
  p.code = w.sites[s.site].name() + "  " + w.sites[s.site].text;
  add_lanes(p, w, s, theme);
  add_lines(p, w, s);
  p.sums = sums_text(seen.sums ? seen.sums->until(w, step + 1) : sums_until(w, step + 1));
  if (w.rows > 0 && w.cols > 0) p.aspect = static_cast<double>(w.cols) / static_cast<double>(w.rows);
  const bool kept = seen.picture && seen.picture->active == of_active(theme) && seen.picture->idle == of_idle(theme);
  p.steps = kept ? seen.picture->pixels : picture_of_steps(w, theme).pixels;
  p.columns = static_cast<int>(p.steps.size() / 32);
  p.now = (static_cast<double>(step) + 0.5) / static_cast<double>(w.steps.size());
  p.steps_name =
      (w.cut() ? "the first " : "all ") + counted(static_cast<index_t>(w.steps.size()), "step") + ", 32 lanes each";
  return p;
}

}  // namespace

std::string entry_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

Color color_of(SectorSource from) {
  constexpr Color colors[] = {kL1, kL2, kDram, kWarning, rgb(0x56B4E9)};
  return colors[static_cast<int>(from)];
}

StepsPicture picture_of_steps(const WarpTrace& w, const Theme& theme) {
  const std::size_t columns = std::min(w.steps.size(), most_columns);
  StepsPicture picture{{}, of_active(theme), of_idle(theme)};
  picture.pixels.assign(columns * 32, rgba_of(picture.idle));
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t first = c * w.steps.size() / columns, past = (c + 1) * w.steps.size() / columns;
    std::size_t shown = first;
    for (std::size_t i = first; i < past; ++i)
      if (w.steps[i].lines > w.steps[shown].lines) shown = i;
    const WarpStep& s = w.steps[shown];
    const LaneAccess* access = w.accesses.data() + s.first_access;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (!(s.active >> lane & 1)) continue;
      const Color color = s.shared >= 0 ? kShared
                          : s.array < 0 ? picture.active
                                        : color_of(source_of(w, s, *access++).from);
      picture.pixels[lane * columns + c] = rgba_of(color);
    }
  }
  return picture;
}

std::string step_card(const WarpTrace& w, std::size_t step) {
  if (step >= w.steps.size()) return "";
  const WarpStep& s = w.steps[step];
  std::string tooltip = step_text(w, step) + "\n" + w.sites[s.site].name() + "  " + w.sites[s.site].text;
  if (const std::string misses = misses_text(w, s); !misses.empty()) tooltip += "\n" + misses;
  return tooltip;
}

std::string lane_card(const WarpTrace& w, std::size_t step, int lane) {
  if (step >= w.steps.size()) return "";
  const WarpStep& s = w.steps[step];
  const auto state = s.lanes[static_cast<std::size_t>(lane)];
  const std::string title = "Lane " + std::to_string(lane);
  if (!(s.active >> lane & 1)) return title + ": idle, " + name_of(state) + "\n" + meaning_of(state);
  if (s.array < 0 && s.shared < 0) return title + ": " + name_of(s.op) + "\nIt asks for no memory.";
  const auto before = static_cast<std::uint32_t>(std::popcount(s.active & ((1u << lane) - 1)));
  const LaneAccess& a = w.accesses[s.first_access + before];
  std::string tooltip = title + ": " + name_of(s.op) + " " + array_of(w, s) + "[" + grouped(a.element) + "]";
  if (a.entry)
    tooltip += "\nrow " + grouped(a.row + w.first) + ", column " + grouped(a.column + w.first) + ", value " +
               entry_text(a.value);
  else if (a.column >= 0)
    tooltip += "\ncolumn " + grouped(a.column + w.first);
  else if (a.row >= 0)
    tooltip += "\nrow " + grouped(a.row + w.first);
  if (a.padding) tooltip += "\npadding: the slot holds no entry";
  if (s.shared >= 0) return tooltip + "\nshared memory: " + bank_text(s);
  const LaneSource source = source_of(w, s, a);
  tooltip += std::string("\n") + name_of(source.from) + ": " + meaning_of(source.from);
  for (const std::string& why : reasons_of(w, w.requested[s.first_line + source.line])) tooltip += "\nmissed " + why;
  return tooltip;
}

Plot warp_figure(const std::vector<SeenWarp>& warps, std::int64_t step, const Theme& theme) {
  Plot plot;
  plot.legend = false;
  plot.columns = {"kernel", "step",    "op",  "line",   "array", "lane",
                  "state",  "element", "row", "column", "from",  "provenance"};
  plot.keys = keys_of(theme, std::any_of(warps.begin(), warps.end(),
                                         [](const SeenWarp& w) { return !w.trace->shared_arrays.empty(); }));
  if (warps.empty()) return plot;
  const WarpTrace& first = *warps.front().trace;
  plot.title = first.why.empty() ? "Warp" : "The warp that " + first.why;
  if (first.why.starts_with("the ")) plot.title = "The warp: " + first.why;
  plot.subtitle = first.gpu + ", " + (first.warm ? "warm" : "cold") + " caches, modelled";
  for (const SeenWarp& seen : warps) {
    const WarpTrace& w = *seen.trace;
    const std::size_t last = w.steps.empty() ? 0 : w.steps.size() - 1;
    const std::size_t at =
        step < 0 ? telling_step(w, WarpMeasure::sectors) : std::min(last, static_cast<std::size_t>(step));
    plot.warps.push_back(panel_of(seen, at, theme));
    add_rows(plot, w, step < 0 ? 0 : at, step < 0 ? w.steps.size() : at);
    for (const std::string& note : w.notes)
      if (std::find(plot.foot.begin(), plot.foot.end(), note) == plot.foot.end()) plot.foot.push_back(note);
  }
  return plot;
}

}  // namespace warpspy::plot
