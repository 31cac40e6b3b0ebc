// The state of the export dialog.
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
  std::string folder;             // folder of the last figure; empty: none was written yet
  plot::Page page;                // the page for which the figure was laid out
  bool writing = false;
  std::string problem;  // why the last export failed
  std::string exists;   // the existing file that it would overwrite
  std::shared_ptr<const PagePicture> preview;
  std::string no_preview;  // why there is no preview
};

}  // namespace warpspy::ui
