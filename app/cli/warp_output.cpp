#include "app/cli/warp_output.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

#include "core/base/numbers.hpp"

namespace warpspy::cli {
namespace {

// More steps than these are for --json.
constexpr std::size_t most_lines = 60;

double share(std::uint64_t part, std::uint64_t all) {
  return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

void print_head(const WarpTrace& t) {
  std::printf("%s on %s, %s, %s\n", t.kernel_label.c_str(), t.gpu.c_str(),
              t.alone  ? "alone in empty caches"
              : t.warm ? "warm"
                       : "cold",
              name_of(Provenance::modelled));
  std::printf("  warp %d of block %lld%s: %s\n", t.place.warp, static_cast<long long>(t.place.block),
              t.launches > 1 ? (" of launch " + std::to_string(t.place.launch)).c_str() : "", t.why.c_str());
  for (const std::string& note : t.notes) std::printf("  note: %s\n", note.c_str());
  if (!t.axis.empty())
    std::printf(
        "  shares its SM with %s for %.4g us: some warp issues %.3g %% of that, and %.3g %% of its own waiting\n",
        counted(static_cast<index_t>(t.axis.warps.size()) - 1, "warp").c_str(), t.axis.end_ns / 1000,
        100 * t.axis.issuing, 100 * t.axis.hidden);
  const LaneLedger& l = t.ledger;
  std::printf("  %llu instructions, lanes active %.3g %%, waits %.4g us\n",
              static_cast<unsigned long long>(l.instructions), share(l.active(), 32 * l.instructions),
              t.waited_ns / 1000);
  for (int s = 1; s < lane_states; ++s)
    if (const auto lanes = l.lanes[static_cast<std::size_t>(s)])
      std::printf("    idle, %-10s %6.3g %%  %s\n", name_of(static_cast<LaneState>(s)),
                  share(lanes, 32 * l.instructions), meaning_of(static_cast<LaneState>(s)));
}

void print_from(const WarpTraffic& t) {
  for (std::size_t i = 0; i < t.from.size(); ++i)
    if (t.from[i] > 0)
      std::printf("  %s %llu", name_of(static_cast<SectorSource>(i)), static_cast<unsigned long long>(t.from[i]));
  std::printf("\n");
}

void print_arrays(const WarpTrace& t) {
  std::printf("  %-16s %9s %9s %9s %8s\n", "array", "requests", "sectors", "fewest", "per req.");
  for (const WarpTraffic& a : t.arrays) {
    if (a.requests == 0) continue;
    std::printf("  %-16s %9llu %9llu %9llu %8.3g", a.name.c_str(), static_cast<unsigned long long>(a.requests),
                static_cast<unsigned long long>(a.sectors), static_cast<unsigned long long>(a.least_sectors),
                static_cast<double>(a.sectors) / static_cast<double>(a.requests));
    print_from(a);
  }
}

std::string array_of(const WarpTrace& t, const WarpStep& s) {
  if (s.shared >= 0) return t.shared_arrays[static_cast<std::size_t>(s.shared)];
  return s.array < 0 ? "" : t.arrays[static_cast<std::size_t>(s.array)].name;
}

void print_line(const WarpTrace& t, std::size_t number) {
  const WarpStep& s = t.steps[number];
  std::printf("  %6zu %-13s %-26s %-14s %8s", number, name_of(s.op), t.sites[s.site].name().c_str(),
              array_of(t, s).c_str(), counted(std::popcount(s.active), "lane").c_str());
  if (s.shared >= 0) return void(std::printf(", %s\n", bank_text(s).c_str()));
  if (s.array < 0) return void(std::printf("\n"));
  const WarpTraffic traffic = traffic_of(t, s);
  std::printf(", %2llu sectors of at least %llu:", static_cast<unsigned long long>(traffic.sectors),
              static_cast<unsigned long long>(traffic.least_sectors));
  print_from(traffic);
}

std::string access_text(const WarpTrace& t, const WarpStep& s, const LaneAccess& a) {
  std::string text = array_of(t, s) + "[" + grouped(a.element) + "]";
  if (a.padding) return text + "  padding";
  char value[40] = "";
  if (a.entry) std::snprintf(value, sizeof value, " = %.6g", a.value);
  if (a.entry) return text + "  entry (" + grouped(a.row) + ", " + grouped(a.column) + ")" + value;
  if (a.row >= 0) text += "  row " + grouped(a.row);
  if (a.column >= 0) text += "  column " + grouped(a.column);
  return text;
}

}  // namespace

void print_warp(const WarpTrace& t) {
  print_head(t);
  print_arrays(t);
  const std::size_t shown = std::min(t.steps.size(), most_lines);
  for (std::size_t i = 0; i < shown; ++i) print_line(t, i);
  if (shown < t.steps_in_all)
    std::printf("  ... and %llu more steps (--json, --step N)\n",
                static_cast<unsigned long long>(t.steps_in_all - shown));
}

void print_step(const WarpTrace& t, std::int64_t number) {
  if (number < 0 || number >= static_cast<std::int64_t>(t.steps.size()))
    throw Error("there is no step " + std::to_string(number), {},
                "the warp tells " + std::to_string(t.steps.size()) + ", counted from 0");
  print_head(t);
  const auto at = static_cast<std::size_t>(number);
  const WarpStep& s = t.steps[at];
  print_line(t, at);
  std::printf("  %s\n", t.sites[s.site].text.c_str());
  const LaneAccess* access = t.accesses.data() + s.first_access;
  for (int lane = 0; lane < 32; ++lane) {
    const bool active = s.active >> lane & 1;
    const LaneState state = s.lanes[static_cast<std::size_t>(lane)];
    std::printf("  lane %2d  %s\n", lane,
                !active                         ? (std::string("idle, ") + name_of(state)).c_str()
                : s.array >= 0 || s.shared >= 0 ? access_text(t, s, *access++).c_str()
                                                : "takes part");
  }
  for (std::uint32_t k = s.first_line; k < s.first_line + s.lines; ++k) {
    const WarpLine& line = t.requested[k];
    std::printf("  line 0x%llx, %3d of 128 bytes used:", static_cast<unsigned long long>(line.line * 128),
                4 * std::popcount(line.words));
    for (std::size_t sector = 0; sector < 4; ++sector)
      std::printf("  %s", line.sectors >> sector & 1 ? name_of(line.from[sector]) : "-");
    for (const std::string& why : reasons_of(t, line)) std::printf("; %s", why.c_str());
    std::printf("\n");
  }
}

}  // namespace warpspy::cli
