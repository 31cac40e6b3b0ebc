#include "core/generate/like_graph.hpp"

#include <array>
#include <unordered_set>

namespace warpspy::generate_detail {
namespace {

using Vertex = Graph::Vertex;

// Neighbours in the mesh with higher numbers, nearest first, as differences of row numbers for each unknown of a node.
// Then all small differences, for rows near the end of the matrix.
std::vector<std::vector<Vertex>> mesh_offsets(index_t rows, const Locality& locality, index_t wanted) {
  const index_t unknowns = locality.unknowns, nodes = std::max<index_t>(1, rows / unknowns);
  index_t line = nodes;  // the largest with line^dimensions <= nodes
  if (locality.dimensions > 1) {
    line = 1;
    while ((line + 1) * (line + 1) * (locality.dimensions == 3 ? line + 1 : 1) <= nodes) ++line;
  }
  const index_t count = 3 * wanted / unknowns + 64;
  index_t reach = 1;
  const auto box = [&](index_t r) {
    index_t points = 1;
    for (int d = 0; d < locality.dimensions; ++d) points *= 2 * r + 1;
    return points / 2;
  };
  while (box(reach) < 2 * count) ++reach;
  std::vector<std::array<index_t, 2>> near;  // distance squared, node difference
  const index_t ry = locality.dimensions > 1 ? reach : 0, rz = locality.dimensions > 2 ? reach : 0;
  for (index_t z = -rz; z <= rz; ++z)
    for (index_t y = -ry; y <= ry; ++y)
      for (index_t x = -reach; x <= reach; ++x) {
        const index_t difference = x + line * (y + line * z);
        if (difference > 0 && difference < nodes) near.push_back({x * x + y * y + z * z, difference});
      }
  std::sort(near.begin(), near.end());
  if (static_cast<index_t>(near.size()) > count) near.resize(static_cast<std::size_t>(count));

  std::vector<std::vector<Vertex>> offsets(static_cast<std::size_t>(unknowns));
  for (index_t c = 0; c < unknowns; ++c) {
    std::unordered_set<index_t> seen;
    const auto add = [&](index_t offset) {
      if (offset > 0 && offset < rows && seen.insert(offset).second) offsets[c].push_back(static_cast<Vertex>(offset));
    };
    for (index_t other = c + 1; other < unknowns; ++other) add(other - c);
    for (const auto& [distance, difference] : near)
      for (index_t other = 0; other < unknowns; ++other) add(difference * unknowns + other - c);
    for (index_t offset = 1; offset <= 4 * wanted; ++offset) add(offset);
  }
  return offsets;
}

}  // namespace

const Locality& locality_of(Family family) {
  using Hubs = Locality::Hubs;
  static constexpr Locality table[kFamilies] = {
      /* solid */ {3, 3, 12, 0, true, Hubs::near},
      /* field */ {1, 3, 8, 0, true, Hubs::near},
      /* grid */ {1, 2, 1, 0, true, Hubs::near},
      /* map */ {1, 2, 1, 0, false, Hubs::near},
      /* circuit */ {1, 2, 1, 0.05, true, Hubs::anywhere},
      /* web */ {1, 1, 1, 0.3, false, Hubs::by_degree},
      /* network */ {1, 1, 1, 1, false, Hubs::by_degree},
      /* program */ {1, 1, 1, 1, false, Hubs::anywhere},
      /* band */ {1, 1, 1, 0, false, Hubs::anywhere},
      /* economy */ {1, 1, 1, 0.5, true, Hubs::anywhere},
      /* walk */ {1, 3, 1, 0.2, true, Hubs::anywhere},
      /* quantum */ {1, 3, 8, 0, true, Hubs::near},
      /* dense_rows */ {1, 1, 512, 0, true, Hubs::anywhere},
  };
  return table[static_cast<int>(family)];
}

Graph::Graph(std::vector<Vertex> degrees, const Locality& locality, Vertex hub_degree, std::uint64_t seed,
             const LengthDraw& by_degree, Progress& progress)
    : seed_(seed) {
  const std::size_t n = degrees.size();
  slots_.resize(n);
  begin_.resize(n);
  index_t ends = 0;
  Vertex longest_other = 0;
  std::vector<Vertex> hubs;
  for (std::size_t v = 0; v < n; ++v) {
    slots_[v].left = degrees[v];
    ends += degrees[v];
    if (degrees[v] > hub_degree)
      hubs.push_back(static_cast<Vertex>(v));
    else
      longest_other = std::max(longest_other, degrees[v]);
  }
  partners_.reserve(static_cast<std::size_t>(ends / 2));
  std::sort(hubs.begin(), hubs.end(),
            [&](Vertex u, Vertex v) { return degrees[u] != degrees[v] ? degrees[u] > degrees[v] : u < v; });
  std::vector<Vertex>().swap(degrees);
  const auto told = [&] {
    progress.check();
    progress.set(0.1 + 1.2 * static_cast<double>(partners_.size()) / static_cast<double>(ends + 1));
  };
  for (std::size_t k = 0; k < hubs.size(); ++k) {
    if (k % 256 == 0) told();
    connect_hub(std::span(hubs).subspan(k), locality, by_degree);
  }
  const auto offsets = mesh_offsets(static_cast<index_t>(n), locality, longest_other);
  for (std::size_t v = 0; v < n; ++v) {
    if (v % 65536 == 0) told();
    if (slots_[v].left > 0) connect_near(static_cast<Vertex>(v), locality, offsets);
  }
}

// Adds an edge of `owner` if the other vertex wants one more and has none to this owner yet.
bool Graph::take(Vertex owner, index_t other) {
  Slot& slot = slots_[other];
  if (slot.left == 0 || slot.taken == owner || other == owner) return false;
  slot.taken = owner;
  --slot.left;
  partners_.push_back(static_cast<Vertex>(other));
  return true;
}

void Graph::finish(Vertex owner, index_t wanted) {
  slots_[owner].owned = static_cast<Vertex>(static_cast<index_t>(partners_.size()) - begin_[owner]);
  if (wanted > 0) wishes_.push_back({owner, static_cast<Vertex>(wanted)});
}

// Connects the first of `hubs`. The others are those of lower degree, in falling order.
void Graph::connect_hub(std::span<const Vertex> hubs, const Locality& locality, const LengthDraw& by_degree) {
  const Vertex hub = hubs.front();
  const auto n = static_cast<index_t>(slots_.size());
  index_t wanted = slots_[hub].left;
  slots_[hub].left = 0;
  begin_[hub] = static_cast<index_t>(partners_.size());
  Random random(seed_, hub);

  // A hub that wants a large part of all vertices chooses among the remaining ones in one scan, each with the same
  // probability.
  if (wanted > n / 16) {
    index_t alive = 0;
    for (const Slot& slot : slots_) alive += slot.left > 0;
    for (index_t v = 0; v < n && wanted > 0; ++v) {
      if (slots_[v].left == 0) continue;
      if (static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(alive--))) < wanted)
        wanted -= take(hub, v);
    }
    return finish(hub, wanted);
  }
  const index_t window = locality.hubs == Locality::Hubs::near ? std::min(n, 4 * wanted) : n;
  const index_t first = std::clamp<index_t>(hub - window / 2, 0, n - window);
  const bool by_length = locality.hubs == Locality::Hubs::by_degree;
  const index_t limit = by_length ? std::max<index_t>(1, by_degree.entries_below(hub)) : 0;
  constexpr index_t batch = 16;  // vertices are scattered in memory, so several are prefetched
  std::array<index_t, batch> drawn;
  for (index_t tries = 4 * wanted + 64; tries > 0 && wanted > 0; tries -= batch) {
    for (index_t& v : drawn) {
      v = by_length ? by_degree.draw(random, limit)
                    : first + static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(window)));
      __builtin_prefetch(&slots_[v]);
    }
    for (const index_t v : drawn)
      if (wanted > 0) wanted -= take(hub, v);
  }
  // Vertices that random search did not find are searched in order, up to a limit. The rest is left to repair().
  for (index_t away = 1; !by_length && away < std::min(n, window + 8 * wanted) && wanted > 0; ++away) {
    if (hub + away < n) wanted -= take(hub, hub + away);
    if (hub >= away && wanted > 0) wanted -= take(hub, hub - away);
  }
  const std::size_t reach = std::min(hubs.size(), static_cast<std::size_t>(8 * wanted + 64));
  for (std::size_t k = 1; k < reach && wanted > 0; ++k) wanted -= take(hub, hubs[k]);
  finish(hub, wanted);
}

void Graph::connect_near(Vertex vertex, const Locality& locality, const std::vector<std::vector<Vertex>>& offsets) {
  const auto n = static_cast<index_t>(slots_.size());
  index_t wanted = slots_[vertex].left;
  slots_[vertex].left = 0;
  begin_[vertex] = static_cast<index_t>(partners_.size());
  const index_t after = n - vertex - 1;
  if (locality.far > 0 && after > 0) {
    Random random(seed_, vertex);
    auto far = static_cast<index_t>(locality.far * static_cast<double>(wanted) + random.uniform());
    for (index_t tries = 4 * far; tries > 0 && far > 0; --tries) {
      const bool taken =
          take(vertex, vertex + 1 + static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(after))));
      far -= taken;
      wanted -= taken;
    }
  }
  for (const Vertex offset : offsets[vertex % locality.unknowns]) {
    if (wanted == 0) break;
    if (offset <= after) wanted -= take(vertex, vertex + offset);
  }
  finish(vertex, wanted);
}

bool Graph::repair(Progress& progress) {
  if (wishes_.empty()) return true;
  if (partners_.empty()) return false;
  const auto n = static_cast<index_t>(slots_.size());
  // Each list is sorted when it is first used. Afterwards positions in partners_ do not change.
  std::vector<bool> sorted(slots_.size(), false);
  const auto list_of = [&](Vertex v) {
    const auto first = partners_.begin() + begin_[v];
    if (!sorted[v]) std::sort(first, first + slots_[v].owned);
    sorted[v] = true;
    return std::span(first, static_cast<std::size_t>(slots_[v].owned));
  };
  // The owner of each edge by its position, to find whose a random edge is.
  std::vector<Vertex> owners;
  for (index_t v = 0; v < n; ++v)
    if (slots_[v].owned > 0) owners.push_back(static_cast<Vertex>(v));
  std::sort(owners.begin(), owners.end(), [&](Vertex u, Vertex v) { return begin_[u] < begin_[v]; });

  const auto key = [](Vertex u, Vertex v) {
    return static_cast<std::uint64_t>(std::min(u, v)) << 32 | static_cast<std::uint32_t>(std::max(u, v));
  };
  std::unordered_set<std::uint64_t> added;
  std::vector<index_t> removed;
  std::unordered_set<index_t> gone;
  const auto owns = [&](Vertex u, Vertex v) {
    const auto list = list_of(u);
    return std::binary_search(list.begin(), list.end(), v);
  };
  // A removed edge still counts as present and is never added again. So its place in partners_ can stay until the end.
  const auto adjacent = [&](Vertex u, Vertex v) {
    return u == v || owns(u, v) || owns(v, u) || added.contains(key(u, v));
  };
  const auto add = [&](Vertex u, Vertex v) {
    added.insert(key(u, v));
    added_.emplace_back(u, v);
  };

  Random random(seed_ ^ kGolden, n);
  const auto exchange = [&](Vertex u, Vertex v) {
    const auto edges = static_cast<index_t>(partners_.size());
    for (index_t tries = 0; tries < 2000; ++tries) {
      // Tries near u first, to keep entries near the diagonal.
      const index_t reach = std::min(edges, index_t{256} << std::min<index_t>(tries / 16, 40));
      const index_t first = std::clamp(begin_[u] - reach / 2, index_t{0}, edges - reach);
      const index_t at = first + static_cast<index_t>(scaled(random.next(), static_cast<std::uint64_t>(reach)));
      if (gone.contains(at)) continue;
      const auto owner = std::upper_bound(owners.begin(), owners.end(), at,
                                          [&](index_t position, Vertex w) { return position < begin_[w]; }) -
                         1;
      list_of(*owner);
      Vertex a = *owner, b = partners_[at];
      if (tries & 1) std::swap(a, b);
      if (adjacent(u, a) || adjacent(v, b) || (u == b && v == a)) continue;
      gone.insert(at);
      removed.push_back(at);
      add(u, a);
      add(v, b);
      return true;
    }
    return false;
  };

  std::vector<Vertex> ends;  // one for each edge that is still wanted
  for (const Wish& wish : wishes_) ends.insert(ends.end(), static_cast<std::size_t>(wish.edges), wish.vertex);
  bool complete = ends.size() % 2 == 0;
  std::pair<Vertex, Vertex> hopeless{-1, -1};
  for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
    if (k % 4096 == 0) progress.check();
    const std::pair<Vertex, Vertex> wish{ends[k], ends[k + 1]};
    if (wish != hopeless && exchange(wish.first, wish.second)) continue;
    hopeless = wish;
    complete = false;
  }
  for (const index_t at : removed) partners_[at] = -1;
  wishes_.clear();
  return complete;
}

}  // namespace warpspy::generate_detail
