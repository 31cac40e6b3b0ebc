#include <algorithm>
#include <bit>
#include <map>

#include "core/plot/text.hpp"
#include "core/plot/warp_figure.hpp"

namespace warpspy::plot {
namespace {

// More could not be read side by side.
constexpr index_t most_elements = 64;

struct Read {
  std::int64_t warp = 0, thread = 0;  // of the launch
  int round = 0;                      // the warp's loads from the array before it
  index_t element = 0;
  const LaneAccess* access = nullptr;
};

void add_reads(const WarpTrace& w, const std::string& array, std::vector<Read>& reads) {
  const std::int64_t warp = w.place.block * w.warps_of_block + w.place.warp;
  int round = -1;
  for (const WarpStep& s : w.steps) {
    if (s.array < 0 || s.op != WarpOp::load || w.arrays[static_cast<std::size_t>(s.array)].name != array) continue;
    ++round;
    const auto wide = static_cast<index_t>(s.bytes / w.array_places[static_cast<std::size_t>(s.array)].element_bytes);
    const LaneAccess* access = w.accesses.data() + s.first_access;
    for (std::uint32_t lanes = s.active; lanes; lanes &= lanes - 1, ++access) {
      const int lane = std::countr_zero(lanes);
      for (index_t k = 0; k < std::max<index_t>(1, wide); ++k)
        reads.push_back({warp, 32 * warp + lane, round, access->element + k, k == 0 ? access : nullptr});
    }
  }
}

Table row_of(const std::string& name, index_t elements) {
  Table t;
  t.name = name;
  t.rows = 1;
  t.cols = static_cast<int>(elements);
  t.cells.resize(static_cast<std::size_t>(elements));
  return t;
}

}  // namespace

Plot access_figure(const std::vector<WarpTrace>& warps, const std::string& array, AccessRows rows) {
  Plot plot;
  plot.legend = false;
  plot.columns = {"kernel", "array", "element", "warp", "thread", "iteration", "padding", "provenance"};
  std::vector<Read> reads;
  for (const WarpTrace& w : warps) add_reads(w, array, reads);
  if (reads.empty()) throw Error("no warp loads from " + array, {}, "choose another array");
  index_t elements = 0;
  for (const Read& r : reads) elements = std::max(elements, r.element + 1);
  if (elements > most_elements)
    throw Error(array + " has " + grouped(elements) + " elements, and no more than " + grouped(most_elements) +
                    " can be printed side by side",
                {}, "choose a smaller matrix");
  const WarpTrace& first = warps.front();
  plot.title = "Which thread reads which element of " + array;
  plot.subtitle = first.kernel_label + ", " + first.gpu + ", modelled";
  Table values = row_of(array, elements);
  std::map<std::int64_t, Table> groups;
  for (const Read& r : reads) {
    const bool by_warp = rows == AccessRows::warps;
    const std::int64_t group = by_warp ? r.warp : r.round;
    auto& table =
        groups.try_emplace(group, row_of((by_warp ? "warp " : "iteration ") + std::to_string(group), elements))
            .first->second;
    const auto at = static_cast<std::size_t>(r.element);
    std::string& text = table.cells[at].text;
    text += (text.empty() ? "" : ", ") + std::to_string(by_warp ? r.warp : r.thread);
    if (r.access) {
      values.cells[at].padding = r.access->padding;
      if (r.access->padding) values.cells[at].text = "*";
      if (r.access->entry) values.cells[at].text = entry_text(r.access->value);
    }
    plot.rows.push_back({first.kernel, array, std::to_string(r.element), std::to_string(r.warp),
                         std::to_string(r.thread), std::to_string(r.round), r.access && r.access->padding ? "1" : "0",
                         name_of(Provenance::modelled)});
  }
  plot.tables.push_back(std::move(values));
  for (auto& [group, table] : groups) plot.tables.push_back(std::move(table));
  return plot;
}

}  // namespace warpspy::plot
