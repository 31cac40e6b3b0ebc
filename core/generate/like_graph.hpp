// Makes an undirected graph with given degrees, in which most neighbours have near numbers. Only this folder uses it.
#pragma once

#include <span>
#include <vector>

#include "core/generate/build.hpp"
#include "core/generate/collection_table.hpp"
#include "core/generate/row_lengths.hpp"

namespace warpspy::generate_detail {

// Tells how far from the diagonal the entries of a family are.
struct Locality {
  int unknowns = 1;    // rows a node of the mesh
  int dimensions = 1;  // of the mesh
  index_t run = 1;     // neighbouring rows of about equal length
  double far = 0;      // share of the entries that lie anywhere
  bool diagonal = true;
  enum class Hubs : std::uint8_t { near, anywhere, by_degree } hubs = Hubs::anywhere;  // partners of the longest rows
};
const Locality& locality_of(Family family);

// Every edge has one owner, which lists the other end. The graph is built in one pass: first the hubs (degree above
// `hub_degree`), longest first, then the other vertices by number. Each vertex joins the nearest mesh neighbours that
// still need edges. The few edges that are missing in the end are reported or repaired.
class Graph {
 public:
  using Vertex = std::int32_t;

  // `by_degree` draws the partners of hubs, if the family needs that.
  Graph(std::vector<Vertex> degrees, const Locality& locality, Vertex hub_degree, std::uint64_t seed,
        const LengthDraw& by_degree, Progress& progress);

  // Makes every degree exact by exchanging edges: if u and v lack an edge each, an edge (a, b) is replaced by (u, a)
  // and (v, b). Returns false if a vertex still lacks an edge: the sum of degrees is odd, or vertices are joined to
  // nearly all others.
  bool repair(Progress& progress);

  // Calls f(owner, other) for every edge, by owner.
  template <class F>
  void for_each_edge(F&& f) const {
    for (std::size_t v = 0; v < slots_.size(); ++v)
      for (index_t k = begin_[v]; k < begin_[v] + slots_[v].owned; ++k)
        if (partners_[k] >= 0) f(static_cast<Vertex>(v), partners_[k]);
    for (const auto& [u, v] : added_) f(u, v);
  }

 private:
  struct Slot {
    Vertex left;        // edges still wanted
    Vertex taken = -1;  // last owner that took this vertex
    Vertex owned = 0;
  };
  struct Wish {
    Vertex vertex, edges;
  };
  bool take(Vertex owner, index_t other);
  void connect_hub(std::span<const Vertex> hubs, const Locality& locality, const LengthDraw& by_degree);
  void connect_near(Vertex vertex, const Locality& locality, const std::vector<std::vector<Vertex>>& offsets);
  void finish(Vertex owner, index_t wanted);

  std::uint64_t seed_;
  std::vector<Slot> slots_;
  std::vector<index_t> begin_;
  std::vector<Vertex> partners_;
  std::vector<Wish> wishes_;
  std::vector<std::pair<Vertex, Vertex>> added_;
};

}  // namespace warpspy::generate_detail
