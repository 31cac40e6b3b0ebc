// Compares two matrices in numbers: the size of each format for both, and how fast runs were on both.
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
  // The difference in speed of two runs; the first is the baseline. It is cached, since every frame needs it. The key
  // is the two records, since a run keeps its number when the model refines it.
  const Delta& speeds(const AppState& s, const std::shared_ptr<const RunRecord>& a,
                      const std::shared_ptr<const RunRecord>& b);
  std::map<std::pair<std::shared_ptr<const RunRecord>, std::shared_ptr<const RunRecord>>, Delta> deltas_;
};

}  // namespace warpspy::ui
