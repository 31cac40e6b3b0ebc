// Reverse Cuthill-McKee (Cuthill & McKee 1969; George 1971). It starts at a pseudo-peripheral vertex of every component
// (George & Liu 1979), searches breadth first with neighbours by increasing degree, and reverses the order.
#include <algorithm>

#include "core/reorder/adjacency.hpp"

namespace warpspy::reorder_detail {
namespace {

using Vertex = std::int32_t;

class CuthillMcKee {
 public:
  CuthillMcKee(const Adjacency& graph, Progress& progress)
      : graph_(graph), progress_(progress), seen_(static_cast<std::size_t>(graph.vertices()), 0) {
    order_.reserve(seen_.size());
  }

  index_t components() const { return components_; }

  std::vector<Vertex> order() {
    for (Vertex v = 0; v < graph_.vertices(); ++v) {
      if (seen_[v] == kPlaced) continue;
      ++components_;
      place(graph_.degree(v) == 0 ? v : peripheral(v));
    }
    std::reverse(order_.begin(), order_.end());
    return std::move(order_);
  }

 private:
  static constexpr Vertex kPlaced = -1;

  // The result of a breadth-first search from `root`: the number of levels, and where the last one begins. The queue
  // then has the component.
  struct Levels {
    index_t count;
    std::size_t last;
  };
  Levels levels(Vertex root) {
    ++stamp_;
    queue_.assign(1, root);
    seen_[root] = stamp_;
    Levels result{0, 0};
    for (std::size_t begin = 0; begin < queue_.size();) {
      progress_.check();
      const std::size_t end = queue_.size();
      result = {result.count + 1, begin};
      for (std::size_t k = begin; k < end; ++k)
        for (const Vertex w : graph_.of(queue_[k]))
          if (seen_[w] != stamp_) {
            seen_[w] = stamp_;
            queue_.push_back(w);
          }
      begin = end;
    }
    return result;
  }

  // The vertex of least degree in the last level becomes the root, until the number of levels no longer grows.
  Vertex peripheral(Vertex root) {
    Levels now = levels(root);
    while (true) {
      const Vertex next = *std::min_element(queue_.begin() + static_cast<std::ptrdiff_t>(now.last), queue_.end(),
                                            [&](Vertex u, Vertex v) {
                                              const index_t du = graph_.degree(u), dv = graph_.degree(v);
                                              return du != dv ? du < dv : u < v;
                                            });
      const Levels there = levels(next);
      if (there.count <= now.count) return root;
      root = next;
      now = there;
    }
  }

  void place(Vertex root) {
    std::size_t k = order_.size();
    order_.push_back(root);
    seen_[root] = kPlaced;
    for (; k < order_.size(); ++k) {
      if (k % 65536 == 0) {
        progress_.check();
        progress_.set(static_cast<double>(k) / static_cast<double>(seen_.size()));
      }
      const auto first = static_cast<std::ptrdiff_t>(order_.size());
      for (const Vertex w : graph_.of(order_[k])) {
        if (seen_[w] == kPlaced) continue;
        seen_[w] = kPlaced;
        order_.push_back(w);
      }
      std::stable_sort(order_.begin() + first, order_.end(),
                       [&](Vertex u, Vertex v) { return graph_.degree(u) < graph_.degree(v); });
    }
  }

  const Adjacency& graph_;
  Progress& progress_;
  // kPlaced, or the last search that visited the vertex. There are fewer than two searches per vertex, since each adds
  // a level.
  std::vector<std::int64_t> seen_;
  std::int64_t stamp_ = 0;
  std::vector<Vertex> queue_, order_;
  index_t components_ = 0;
};

}  // namespace

Reordering reverse_cuthill_mckee(const Csr& a, const ReorderInput&, Progress& progress) {
  const Adjacency graph = adjacency_of(a, progress);
  progress.stage("reverse Cuthill-McKee");
  CuthillMcKee search(graph, progress);
  const auto order = search.order();
  const index_t parts = search.components();
  return {Permutation::symmetric({order.begin(), order.end()}),
          std::to_string(parts) + (parts == 1 ? " component" : " components")};
}

}  // namespace warpspy::reorder_detail
