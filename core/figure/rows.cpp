// The list of figures. Each name is a row in the file of its subject.
#include "core/figure/figure.hpp"

#define WARPSPY_FIGURES(ROW) \
  ROW(spy)                   \
  ROW(mesh)                  \
  ROW(histogram)             \
  ROW(lengths)               \
  ROW(layout)                \
  ROW(roofline)              \
  ROW(memory)                \
  ROW(heatmap)               \
  ROW(profile)               \
  ROW(best)                  \
  ROW(cost)                  \
  ROW(residual)              \
  ROW(iteration)             \
  ROW(line)                  \
  ROW(parts)                 \
  ROW(speedup)               \
  ROW(runs)                  \
  ROW(comparison)            \
  ROW(roofs)                 \
  ROW(tuning)                \
  ROW(analysis)              \
  ROW(warp)                  \
  ROW(study)

namespace warpspy::figure {

namespace registry {
#define DECLARED(name) extern const Row name;
WARPSPY_FIGURES(DECLARED)
}  // namespace registry

std::span<const Row* const> rows() {
#define LISTED(name) &registry::name,
  static constexpr const Row* all[] = {WARPSPY_FIGURES(LISTED)};
  return all;
}

const Row* row(const std::string& id) {
  for (const Row* r : rows())
    if (id == r->id) return r;
  return nullptr;
}

}  // namespace warpspy::figure
