// Two matrices in numbers: what each format takes for either, and how fast runs were on either.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "ui/views/ui.hpp"

struct ImVec2;

namespace warpspy::ui {

class BothPanel {
 public:
  void draw(const AppState& s, Ui& ui, ImVec2 size, const OpenMatrix& left, const OpenMatrix& right);

 private:
  // Of two runs, the first the baseline; kept, since it is asked for in every frame.
  const Delta& speeds(const AppState& s, const std::shared_ptr<const RunRecord>& a,
                      const std::shared_ptr<const RunRecord>& b);
  std::map<std::pair<std::uint64_t, std::uint64_t>, Delta> deltas_;
};

}  // namespace warpspy::ui
