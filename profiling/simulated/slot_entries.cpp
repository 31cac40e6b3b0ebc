#include "profiling/simulated/slot_entries.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace warpspy {
namespace {

// Where the groups of a part begin: its slices, packets or blocks, as the papers print them.
struct Groups {
  std::vector<std::size_t> begin;
  std::vector<std::int64_t> slots, padding;
  std::string name;
  std::size_t now = 0;

  std::int32_t at(index_t slot) {
    const auto place = static_cast<std::size_t>(slot);
    if (place < begin[now]) now = 0;
    while (now + 1 < begin.size() && begin[now + 1] <= place) ++now;
    return static_cast<std::int32_t>(now);
  }
};

// Splits a name: "values, slice 3" gives ("slice", "3"); without a number ("...", "").
std::pair<std::string, std::string> word_and_number(std::string name) {
  if (const auto comma = name.rfind(", "); comma != std::string::npos) name.erase(0, comma + 2);
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  std::string number = name.substr(digits);
  name.resize(digits);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  if (const auto of = name.rfind(" of "); of != std::string::npos) name.erase(0, of + 4);
  return {name, number};
}

// "ell_values": "ELL".
std::string part_name(const std::string& array, const std::string& otherwise) {
  const auto end = array.rfind('_');
  if (end == std::string::npos) return otherwise;
  std::string name = array.substr(0, end);
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name == "PACKET" ? "packets" : name;
}

std::vector<Groups> groups_of(const Format& format, EntryTrace& to) {
  const std::vector<ArrayView> arrays = format.arrays();
  const std::vector<ArrayGrid> grids = format.grids();
  std::vector<Groups> parts;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const ArrayView& a = arrays[i];
    if (a.part < 0 || a.kind != ArraySize::Kind::values) continue;
    const auto part = static_cast<std::size_t>(a.part);
    if (parts.size() <= part) parts.resize(part + 1), to.parts.resize(part + 1);
    Groups& g = parts[part];
    to.parts[part].name = part_name(a.name, to.format);
    bool numbered = true;
    for (const ArrayGrid& grid : grids) {
      if (grid.array != i) continue;
      const auto [word, number] = word_and_number(grid.name);
      numbered = numbered && number == std::to_string(g.begin.size()) && (g.begin.empty() || word == g.name);
      g.name = word;
      g.begin.push_back(grid.begin);
    }
    if (!numbered) g.name = "group";
    std::sort(g.begin.begin(), g.begin.end());
  }
  if (parts.empty()) parts.resize(1), to.parts.resize(1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Groups& g = parts[p];
    if (g.begin.empty()) g.begin.push_back(0);
    if (to.parts[p].name.empty()) to.parts[p].name = to.format;
    if (g.begin.size() > 1) to.parts[p].group = g.name;
    g.slots.resize(g.begin.size()), g.padding.resize(g.begin.size());
  }
  return parts;
}

}  // namespace

void resolve_slots(const Format& format, const Csr& matrix, bool unread, std::vector<EntryRead>& reads, EntryTrace& to,
                   const Progress& progress) {
  std::vector<Groups> groups = groups_of(format, to);
  std::vector<std::uint32_t> order(reads.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto place = [&](std::uint32_t r) { return std::pair{index_t{reads[r].part}, reads[r].position}; };
  tbb::parallel_sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
  progress.check();

  std::size_t next = 0, seen = 0;
  std::vector<EntryRead> others;
  format.for_each_slot([&](const Slot& slot) {
    if (++seen % 65536 == 0) progress.check();
    Groups& part = groups[static_cast<std::size_t>(slot.part)];
    const std::int32_t group = part.at(slot.position);
    ++part.slots[static_cast<std::size_t>(group)];
    if (slot.padding()) ++part.padding[static_cast<std::size_t>(group)];
    const std::pair here{index_t{slot.part}, slot.position};
    for (; next < order.size() && place(order[next]) < here; ++next) reads[order[next]].position = -1;
    const bool read = next < order.size() && place(order[next]) == here;
    const auto shown = [&](index_t row) { return row >= to.row_begin && row < to.row_end; };
    const bool wanted = read || (unread && (shown(slot.row) || (slot.mirrored && shown(slot.column))));
    if (!wanted) return;
    const index_t entry = slot.padding() ? -1 : matrix.find(slot.row, slot.column);
    const std::size_t first = next;
    while (next < order.size() && place(order[next]) == here) ++next;
    for (std::size_t k = first; k < next; ++k) {
      reads[order[k]].position = entry;
      reads[order[k]].group = group;
    }
    // An entry that is not stored was read together with its mirror across the diagonal.
    const index_t mirror = slot.mirrored ? matrix.find(slot.column, slot.row) : -1;
    for (std::size_t k = first; k < next && mirror >= 0; ++k) {
      others.push_back(reads[order[k]]);
      others.back().position = mirror;
    }
    if (read || entry < 0) return;
    for (const index_t position : {entry, mirror}) {
      if (position < 0) continue;
      EntryRead e;
      e.position = position;
      e.part = static_cast<std::uint8_t>(slot.part);
      e.group = group;
      others.push_back(e);
    }
  });
  for (; next < order.size(); ++next) reads[order[next]].position = -1;
  for (std::size_t p = 0; p < groups.size(); ++p)
    for (std::size_t g = 0; g < groups[p].slots.size(); ++g)
      to.parts[p].padding.push_back(groups[p].slots[g] == 0 ? 0.f
                                                            : static_cast<float>(groups[p].padding[g]) /
                                                                  static_cast<float>(groups[p].slots[g]));
  reads.insert(reads.end(), others.begin(), others.end());
}

void settle_entries(std::vector<EntryRead> reads, EntryTrace& to) {
  std::erase_if(reads, [](const EntryRead& e) { return e.position < 0; });
  const auto key = [](const EntryRead& e) {
    return std::tuple(e.position, !e.ran(), e.launch, e.block, e.warp, e.lane);
  };
  tbb::parallel_sort(reads.begin(), reads.end(),
                     [&](const EntryRead& a, const EntryRead& b) { return key(a) < key(b); });
  reads.erase(std::unique(reads.begin(), reads.end(),
                          [](const EntryRead& a, const EntryRead& b) { return a.position == b.position; }),
              reads.end());
  reads.shrink_to_fit();
  to.entries = std::move(reads);
}

}  // namespace warpspy
