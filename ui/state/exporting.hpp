// The export of figures, as the window shows it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/plot/page.hpp"

namespace warpspy::ui {

// A figure on its page, drawn.
struct PagePicture {
  int width = 0, height = 0;        // device pixels
  std::vector<std::uint32_t> rgba;  // 0xAABBGGRR, row by row
  plot::Fitted fitted;
};

struct Exporting {
  std::string what = "roofline";  // id of the figure in the dialog
  std::string folder;             // where the last one was written; empty: none was yet
  plot::Page page;                // that it was laid out for
  bool writing = false;
  std::string problem;  // why the last try wrote nothing
  std::string exists;   // the file that it would have written over
  std::shared_ptr<const PagePicture> preview;
  std::string no_preview;  // why there is none
};

}  // namespace warpspy::ui
