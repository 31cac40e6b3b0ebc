// How a roofline distinguishes its runs: by colour and by name.
#include <algorithm>
#include <iterator>
#include <set>

#include "core/plot/roofline_parts.hpp"
#include "core/plot/text.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

// Okabe and Ito's colours; yellow is darker so that it is visible on paper.
constexpr Color kPalette[] = {rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0xCC79A7),
                              rgb(0xE69F00), rgb(0x56B4E9), rgb(0xB8860B), rgb(0x7A7A7A)};

// More names would crowd the figure. The legend, the mouse and the table name the others.
constexpr std::size_t kMostNames = 24;

// Follows a name: a modelled run at quick depth, which more work may change.
constexpr const char* quick_mark = " (quick)";

// The kernel, and those of its parameters that distinguish its runs.
std::string with_params(const PlacedRun& r, const std::vector<const PlacedRun*>& told) {
  std::string s = kernel_of(*r.run);
  // No structured binding: clang 14 cannot capture one in a lambda.
  for (const auto& param : r.run->request.params) {
    const bool differs = std::any_of(told.begin(), told.end(), [&](const PlacedRun* other) {
      const auto& params = other->run->request.params;
      const auto at = params.find(param.first);
      return kernel_of(*other->run) == kernel_of(*r.run) && (at == params.end() || at->second != param.second);
    });
    if (differs) s.append(" ").append(param.first).append(" ").append(exact(param.second));
  }
  if (r.run->may_be_refined()) s += quick_mark;
  return s;
}

}  // namespace

bool is_compared(const RooflineStyle& style, std::uint64_t run) {
  return std::find(style.compared.begin(), style.compared.end(), run) != style.compared.end();
}

std::string kernel_of(const RunRecord& r) { return r.kernel_label.empty() ? r.request.kernel : r.kernel_label; }

Color color_of(Level level) {
  constexpr Color colors[] = {kCompute, kDram, kL2, kL1, kShared, kCompute};
  return colors[static_cast<int>(level)];
}

std::string ColorKeys::key_of(const RunRecord& r) const {
  using By = RooflineStyle::ColorBy;
  return by_ == By::matrix ? r.matrix_name : by_ == By::kernel ? kernel_of(r) : r.device_name;
}

ColorKeys::ColorKeys(const std::vector<PlacedRun>& runs, RooflineStyle::ColorBy by, const Theme& theme) : by_(by) {
  if (by == RooflineStyle::ColorBy::level) return;
  for (const PlacedRun& r : runs) {
    const std::string name = key_of(*r.run);
    if (std::any_of(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == name; })) continue;
    // After the last colour of the palette, the same hues come again, darker or lighter.
    const std::size_t k = keys_.size(), round = k / std::size(kPalette);
    keys_.push_back({name, mix(kPalette[k % std::size(kPalette)], theme.ink,
                               round == 0   ? 0
                               : round == 1 ? 0.4
                                            : 0.65)});
  }
}

Color ColorKeys::of(const RunRecord& r, Level level) const {
  if (by_ == RooflineStyle::ColorBy::level) return color_of(level);
  const std::string name = key_of(r);
  const auto at = std::find_if(keys_.begin(), keys_.end(), [&](const Key& k) { return k.name == name; });
  return at == keys_.end() ? color_of(level) : at->color;
}

std::vector<std::string> labels_of(const std::vector<PlacedRun>& runs, const RooflineStyle& style) {
  // Compared runs only need to differ from each other, not from all others.
  std::vector<const PlacedRun*> told;
  for (const PlacedRun& r : runs)
    if (style.compared.empty() ? r.strength == 1 : is_compared(style, r.run->id)) told.push_back(&r);
  const auto differ = [&](auto&& of) {
    return std::any_of(told.begin(), told.end(), [&](const PlacedRun* r) { return of(*r->run) != of(*told[0]->run); });
  };
  const bool matrices = differ([](const RunRecord& r) { return r.matrix_name; }),
             kernels = differ([](const RunRecord& r) { return kernel_of(r); }),
             precisions = differ([](const RunRecord& r) { return std::string(name_of(r.request.precision)); }),
             devices = differ([](const RunRecord& r) { return r.device; });
  std::vector<std::string> labels(runs.size());
  std::set<std::string> used;
  std::size_t tried = 0;  // the cost of choosing a name grows with the number of runs
  // The selected run first, then the newest: of equal names only the first is drawn.
  std::vector<std::size_t> order;
  for (std::size_t k = runs.size(); k-- > 0;) order.push_back(k);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t k) { return runs[k].run->id == style.selected; });
  for (const std::size_t k : order) {
    const PlacedRun& r = runs[k];
    const bool compared = is_compared(style, r.run->id);
    if (!compared && (r.strength < 1 || used.size() >= kMostNames || ++tried > 4 * kMostNames)) continue;
    std::string s = with_params(r, told);
    // For one kernel on many matrices, the name is the matrix.
    const bool by_matrix = matrices && !kernels && style.compared.empty();
    if (by_matrix) s = r.run->matrix_name;
    if (matrices && !by_matrix) s += ", " + r.run->matrix_name;
    if (precisions) s += std::string(", ") + name_of(r.run->request.precision);
    if (devices) s += ", " + r.run->device_name;
    if (!used.insert(s).second && !compared) continue;
    labels[k] = std::move(s);
  }
  return labels;
}

}  // namespace warpspy::plot
