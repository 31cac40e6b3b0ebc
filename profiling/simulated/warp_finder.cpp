#include "profiling/simulated/warp_finder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "profiling/simulated/array_uses.hpp"
#include "profiling/simulated/driver.hpp"

namespace warpspy {
namespace {

// How many blocks run at once in the search.
constexpr std::size_t blocks_at_once = 16;

class Finder {
 public:
  Finder(const TracedProduct& traced, const WarpWanted& wanted, const Progress& progress)
      : t_(traced), wanted_(wanted), progress_(progress), uses_(uses_of(traced.product, traced.format)) {}

  FoundWarp run(double steps) {
    require_place();
    if (wanted_.by == WarpWanted::By::row && length() == 0) return writer_of_row();
    find_slots();
    const auto launches = static_cast<int>(t_.product.launches().size());
    for (int launch = 0; launch < launches; ++launch)
      if (const auto found = in_launch(launch, steps / launches)) return *found;
    throw Error("no warp that was run reads " + what() + " (" + std::to_string(tried_) + " blocks were)", {},
                "name a block and a warp of it");
  }

 private:
  index_t length() const {
    const auto row = static_cast<std::size_t>(wanted_.row);
    return t_.matrix.row_ptr()[row + 1] - t_.matrix.row_ptr()[row];
  }
  std::string what() const {
    return wanted_.by == WarpWanted::By::entry ? "entry (" + number(wanted_.row) + ", " + number(wanted_.column) + ")"
                                               : "row " + number(wanted_.row);
  }
  // The number of a row or a column, counted from where the request counts.
  std::string number(index_t n) const { return std::to_string(n + wanted_.first); }
  // Error messages say whether rows count from 0 or 1: figures and the command line differ.
  std::string counting() const {
    return wanted_.first == 0 ? "" : " (counted from " + std::to_string(wanted_.first) + ")";
  }

  void require_place() const {
    const Csr& a = t_.matrix;
    if (wanted_.row < 0 || wanted_.row >= a.rows())
      throw Error("there is no row " + number(wanted_.row), {},
                  a.rows() > 0 ? "choose one of " + number(0) + " to " + number(a.rows() - 1) + counting()
                               : "choose a matrix that has rows");
    if (wanted_.by == WarpWanted::By::entry && a.find(wanted_.row, wanted_.column) < 0)
      throw Error("there is no " + what(), {}, "choose one that is stored" + counting());
  }

  // Nobody reads a row without entries. If blocks have rows of their own, one warp writes its y.
  FoundWarp writer_of_row() {
    const std::optional<std::int64_t> block = block_of_row();
    if (block)
      for (std::size_t a = 0; a < uses_.size(); ++a)
        if (uses_[a].kind == ArrayUse::Kind::y) {
          wanted_addresses_.push_back({a, wanted_.row});
          why_ = "writes " + what() + ", which has no entries";
        }
    if (!wanted_addresses_.empty())
      if (const auto found = in_block(0, try_block(t_.product, 0, *block))) return *found;
    throw Error(what() + " has no entries: no warp reads it", {},
                "choose another row" + counting() + ", or name a block and a warp of it");
  }

  // If blocks complete rows in order, the block of the row.
  std::optional<std::int64_t> block_of_row() const {
    if (t_.product.launches().size() != 1 || t_.operation != Operation::product) return {};
    const auto rows = t_.product.rows_of_block(0);
    if (!rows || rows->second <= rows->first) return {};
    return std::min(wanted_.row / (rows->second - rows->first), t_.product.launches()[0].grid - 1);
  }

  void find_slots() {
    why_ = "reads " + what();
    std::set<std::pair<int, index_t>> slots;
    std::size_t seen = 0;
    t_.format.for_each_slot([&](const Slot& slot) {
      if (++seen % 65536 == 0) progress_.check();
      const auto is_wanted = [&](index_t row, index_t column) {
        return row == wanted_.row && (wanted_.by != WarpWanted::By::entry || column == wanted_.column);
      };
      if (!is_wanted(slot.row, slot.column) && !(slot.mirrored && is_wanted(slot.column, slot.row))) return;
      slots.insert({slot.part, slot.position});
    });
    for (std::size_t a = 0; a < uses_.size(); ++a) {
      if (!uses_[a].is_slots()) continue;
      const auto elements = static_cast<double>(t_.product.arrays()[a].bytes / uses_[a].element);
      for (const auto& [part, position] : slots) {
        if (part != uses_[a].part) continue;
        wanted_addresses_.push_back({a, position});
        if (guesses_.size() < 3) guesses_.push_back(static_cast<double>(position) / elements);
      }
    }
    std::sort(wanted_addresses_.begin(), wanted_addresses_.end());
    if (wanted_addresses_.empty())
      throw Error("which entries a lane of this kernel reads is not known: it made arrays of its own", {},
                  "name a block and a warp of it");
    guesses_.insert(guesses_.begin(), static_cast<double>(wanted_.row) / static_cast<double>(t_.matrix.rows()));
  }

  // The blocks of a launch, from each guess outwards.
  std::vector<std::int64_t> order_of(std::int64_t grid) const {
    if (const auto block = block_of_row()) return {*block};
    constexpr std::int64_t most = 100'000;
    std::vector<std::int64_t> order;
    std::set<std::int64_t> known;
    const auto add = [&](std::int64_t block) {
      if (block >= 0 && block < grid && known.insert(block).second) order.push_back(block);
    };
    for (std::int64_t off = 0; off <= std::min(grid, most); ++off)
      for (const double guess : guesses_) {
        const auto middle = static_cast<std::int64_t>(guess * static_cast<double>(grid));
        add(middle + off), add(middle - off);
      }
    return order;
  }

  // The result of a block that was tried.
  struct Ran {
    double work = 0;
    bool reads_slots = false;
  };

  bool reads_slots(const simt::BlockTrace& trace) const {
    for (const simt::WarpTrace& warp : trace.warps)
      for (const simt::Access& a : warp.accesses)
        if (uses_[a.array].is_slots()) return true;
    return false;
  }

  std::optional<FoundWarp> in_launch(int launch, double steps) {
    const std::vector<std::int64_t> order = order_of(t_.product.launches()[static_cast<std::size_t>(launch)].grid);
    for (std::size_t first = 0; first < order.size() && steps > 0; first += blocks_at_once) {
      const std::size_t now = std::min(blocks_at_once, order.size() - first);
      std::vector<std::optional<FoundWarp>> found(now);
      std::vector<Ran> ran(now);
      try_blocks(t_.product, launch, std::span(order).subspan(first, now), progress_,
                 [&](std::size_t i, const simt::BlockTrace& trace) {
                   found[i] = in_block(launch, trace);
                   ran[i] = {work_of(trace), reads_slots(trace)};
                 });
      tried_ += now;
      for (std::size_t i = 0; i < now; ++i) {
        if (found[i]) return found[i];
        steps -= ran[i].work;
      }
      // A launch that scales y, say.
      if (first == 0 && std::none_of(ran.begin(), ran.end(), [](const Ran& r) { return r.reads_slots; })) return {};
    }
    return {};
  }

  std::optional<FoundWarp> in_block(int launch, const simt::BlockTrace& trace) const {
    for (std::size_t w = 0; w < trace.warps.size(); ++w)
      for (const simt::Access& a : trace.warps[w].accesses) {
        const int lane = lane_of(a, trace.warps[w].addresses.data() + a.first);
        if (lane >= 0)
          return FoundWarp{{launch, trace.block, static_cast<int>(w)}, why_ + ", lane " + std::to_string(lane)};
      }
    return {};
  }

  // The first lane that accesses what is wanted; -1: none.
  int lane_of(const simt::Access& a, const std::uint64_t* address) const {
    const ArrayUse& use = uses_[a.array];
    if (use.is_slots() ? a.op != simt::Op::load : use.kind != ArrayUse::Kind::y || a.op == simt::Op::load) return -1;
    for (std::uint32_t lanes = a.active; lanes; lanes &= lanes - 1, ++address) {
      const auto first = static_cast<index_t>((*address - use.base) / use.element);
      const auto past = first + std::max<index_t>(1, static_cast<index_t>(a.bytes / use.element));
      const auto at =
          std::lower_bound(wanted_addresses_.begin(), wanted_addresses_.end(), std::pair{std::size_t{a.array}, first});
      if (at != wanted_addresses_.end() && at->first == a.array && at->second < past) return std::countr_zero(lanes);
    }
    return -1;
  }

  const TracedProduct& t_;
  const WarpWanted& wanted_;
  const Progress& progress_;
  std::vector<ArrayUse> uses_;
  std::vector<std::pair<std::size_t, index_t>> wanted_addresses_;  // array and element, sorted
  std::vector<double> guesses_;                                    // likely places, as shares of the grid
  std::string why_;
  std::size_t tried_ = 0;
};

}  // namespace

FoundWarp find_warp(const TracedProduct& traced, const WarpWanted& wanted, double steps, const Progress& progress) {
  return Finder(traced, wanted, progress).run(steps);
}

}  // namespace warpspy
