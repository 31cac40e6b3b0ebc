#include "profiling/cupti/code_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

// The low nine bits of an instruction are its operation; the next three say where its operands are. NVIDIA does not
// publish this. The numbers are from nvdisasm's names and from Mesa's compiler (src/nouveau/compiler/nak).
constexpr unsigned nop = 0x118, bra = 0x147;
constexpr unsigned to_memory[] = {0x180, 0x181, 0x185, 0x186, 0x18a, 0x18b, 0x18e, 0x1a6, 0x1a8, 0x1a9, 0x1ae};
constexpr unsigned to_shared[] = {0x184, 0x188, 0x18c, 0x18d};
constexpr unsigned between_lanes[] = {0x006, 0x1c4, 0x1a1, 0x189};  // vote, redux, match, shfl
constexpr unsigned leaves[] = {0x150, 0x14d, 0x15b};                // ret, exit, kill
constexpr unsigned by_table[] = {0x149, 0x158};                     // brx, brxu

template <std::size_t n>
bool one_of(const unsigned (&list)[n], unsigned does) {
  return std::find(std::begin(list), std::end(list), does) != std::end(list);
}

struct Instruction {
  std::uint64_t low = 0, high = 0;

  unsigned does() const { return low & 0x1FF; }
  bool unguarded() const { return (low >> 12 & 0xF) == 7; }
  bool always() const { return unguarded() && (high >> 23 & 0xF) == 7 && (low >> 32 & 3) == 0; }  // of a branch
  bool when_lanes_parted() const { return (low >> 32 & 3) == 2; }
  // The target of a branch, in instructions relative to the next one. It is stored as 56 bits in steps of 4 bytes, with
  // the low eight bits apart from the others.
  std::int64_t jump() const {
    const auto upper = static_cast<std::int64_t>((low >> 34 | high << 30) << 16) >> 16;
    const std::int64_t steps = upper * 256 + static_cast<std::int64_t>(low >> 16 & 0xFF);
    if (steps % 4 != 0) throw Error("a branch leads into an instruction");
    return steps / 4;
  }
};

// Instructions from `begin` to before `end` that run one after another; then one of `next` follows.
struct Block {
  std::size_t begin = 0, end = 0;
  std::vector<std::size_t> next = {}, before = {};
};
using Blocks = std::set<std::size_t>;  // by their numbers

class Flow {
 public:
  explicit Flow(std::span<const std::uint8_t> code) : code_(code.size() / sizeof(Instruction)) {
    if (code.empty() || code.size() % sizeof(Instruction) != 0) throw Error("machine code ends inside an instruction");
    std::memcpy(code_.data(), code.data(), code.size());
    divide();
    reach();
    find_masters();
  }

  std::vector<CodePart> parts() const {
    std::map<std::size_t, Blocks> loops;  // by the first
    for (const std::size_t b : order_)
      for (const std::size_t head : blocks_[b].next)
        if (comes_by(b, head)) add_loop(loops[head], head, b);
    std::vector<CodePart> parts{count(Blocks(order_.begin(), order_.end()))};
    for (const auto& [head, body] : loops) {
      Blocks own = body;
      for (const auto& [inner, its] : loops)
        if (inner != head && body.contains(inner))
          for (const std::size_t b : its) own.erase(b);
      parts.push_back(count(own));
    }
    return parts;
  }

 private:
  // Where an instruction may branch to, and whether the next instruction may follow. Nothing: only the next one
  // follows.
  struct Ways {
    std::optional<std::size_t> branch;
    bool next = true;
    bool by_table = false;  // the target is in a register
  };
  std::optional<Ways> ways_behind(std::size_t i) const {
    const Instruction& in = code_[i];
    if (one_of(leaves, in.does())) return Ways{{}, !in.unguarded()};
    if (one_of(by_table, in.does())) return Ways{{}, !in.unguarded(), true};
    if (in.does() != bra || in.when_lanes_parted()) return std::nullopt;
    return Ways{target_of(i), !in.always()};
  }
  std::size_t target_of(std::size_t i) const {
    const std::int64_t to = static_cast<std::int64_t>(i) + 1 + code_[i].jump();
    if (to < 0 || to >= static_cast<std::int64_t>(code_.size())) throw Error("a branch leads out of the function");
    return static_cast<std::size_t>(to);
  }

  void divide() {
    std::set<std::size_t> begins{0}, parted;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (code_[i].does() == bra && code_[i].when_lanes_parted()) parted.insert(target_of(i));
      if (const auto ways = ways_behind(i)) {
        begins.insert(i + 1);
        if (ways->branch) begins.insert(*ways->branch);
      }
    }
    begins.insert(parted.begin(), parted.end());
    begins.erase(code_.size());
    std::map<std::size_t, std::size_t> number;
    for (const std::size_t at : begins) number.emplace(at, number.size());
    for (auto at = begins.begin(); at != begins.end(); ++at) {
      Block b{*at, std::next(at) == begins.end() ? code_.size() : *std::next(at)};
      const Ways ways = ways_behind(b.end - 1).value_or(Ways{});
      if (ways.branch) b.next.push_back(number.at(*ways.branch));
      if (ways.next && b.end < code_.size()) b.next.push_back(number.at(b.end));
      blocks_.push_back(std::move(b));
    }
    lead_by_table(parted);
  }

  // An indirect branch may lead to every block that no other block leads to. Exceptions are code for lanes that have
  // diverged, and the branch to itself at the end of a function.
  void lead_by_table(const std::set<std::size_t>& parted) {
    std::vector<char> led(blocks_.size(), 0);
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (const std::size_t to : blocks_[b].next) led[to] = 1;
    std::vector<std::size_t> open;
    for (std::size_t b = 1; b < blocks_.size(); ++b)
      if (!led[b] && !parted.contains(blocks_[b].begin)) open.push_back(b);
    for (Block& b : blocks_)
      if (const auto ways = ways_behind(b.end - 1); ways && ways->by_table)
        b.next.insert(b.next.end(), open.begin(), open.end());
  }

  // Depth-first search. Each block comes after all that lead to it, except for the ends of loops.
  void reach() {
    place_.assign(blocks_.size(), none);
    std::vector<char> seen(blocks_.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> path{{0, 0}};  // block, which way is next
    seen[0] = 1;
    while (!path.empty()) {
      const std::size_t b = path.back().first;
      if (path.back().second == blocks_[b].next.size()) {
        order_.push_back(b);
        path.pop_back();
        continue;
      }
      const std::size_t to = blocks_[b].next[path.back().second++];
      blocks_[to].before.push_back(b);
      if (!std::exchange(seen[to], 1)) path.push_back({to, 0});
    }
    std::reverse(order_.begin(), order_.end());
    for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }

  // Cooper, Harvey & Kennedy 2001: A Simple, Fast Dominance Algorithm.
  void find_masters() {
    master_.assign(blocks_.size(), none);
    master_[0] = 0;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 1; i < order_.size(); ++i) {
        std::size_t master = none;
        for (const std::size_t b : blocks_[order_[i]].before)
          if (master_[b] != none) master = master == none ? b : common(master, b);
        more |= std::exchange(master_[order_[i]], master) != master;
      }
    }
  }
  std::size_t common(std::size_t a, std::size_t b) const {
    while (a != b) (place_[a] > place_[b] ? a : b) = master_[place_[a] > place_[b] ? a : b];
    return a;
  }
  bool comes_by(std::size_t block, std::size_t master) const {
    while (block != master && block != 0) block = master_[block];
    return block == master;
  }

  // Adds all blocks from which `from` is reached without passing the head.
  void add_loop(Blocks& body, std::size_t head, std::size_t from) const {
    body.insert(head);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t b = open.back();
      open.pop_back();
      if (body.insert(b).second) open.insert(open.end(), blocks_[b].before.begin(), blocks_[b].before.end());
    }
  }

  CodePart count(const Blocks& blocks) const {
    CodePart part;
    for (const std::size_t b : blocks)
      for (std::size_t i = blocks_[b].begin; i < blocks_[b].end; ++i) {
        const unsigned does = code_[i].does();
        part.instructions += does != nop;
        part.memory += one_of(to_memory, does);
        part.shared += one_of(to_shared, does);
        part.between += one_of(between_lanes, does);
      }
    return part;
  }

  static constexpr std::size_t none = SIZE_MAX;
  std::vector<Instruction> code_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> order_;   // blocks that can be reached
  std::vector<std::size_t> place_;   // in order_
  std::vector<std::size_t> master_;  // the nearest block that all paths to this one pass
};

}  // namespace

std::vector<CodePart> code_parts(std::span<const std::uint8_t> code) { return Flow(code).parts(); }

}  // namespace warpspy
