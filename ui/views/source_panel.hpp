// Shows a kernel's source as a page, with the memory traffic of a run in its margin.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "core/run/source_page.hpp"
#include "ui/views/ui.hpp"
#include "ui/widgets/table.hpp"

namespace warpspy::ui {

class SourcePanel {
 public:
  // `lines`: traffic by source line; `now`: the line that is executed, or "". The page begins a little above the first
  // line with traffic. A click marks a line, its arrays, and the rows that the shown warp reads there. With `narrow`
  // only the numbers that matter most are in the margin.
  void draw(const AppState& s, Ui& ui, const std::vector<Traffic>& lines, const std::string& now, float width,
            float height, bool narrow);

 private:
  void row(const AppState& s, Ui& ui, Table& table, const SourceLine& line, const std::string& name,
           const std::string& now, std::size_t indent, bool narrow);

  std::string file_;     // the open page; if there is none of that name, the first
  std::string in_view_;  // the line to which the page scrolled
};

}  // namespace warpspy::ui
