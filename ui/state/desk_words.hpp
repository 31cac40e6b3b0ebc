// Writes parts of the desk as a line of text, and reads them back. Words that are not understood are ignored.
#pragma once

#include <optional>
#include <string>

#include "ui/state/actions.hpp"
#include "ui/state/roofline.hpp"
#include "ui/state/warp.hpp"

namespace warpspy::ui {

std::string to_text(const std::optional<plot::RooflineStyle::View>& view);
std::optional<plot::RooflineStyle::View> roof_view_of(const std::string& text);

// "chosen log_x log_y quartiles".
std::string to_text(const plot::HistogramStyle& h);

// "row 41 step 5 stride line view source beside ell alone".
struct WarpDesk {
  std::optional<ShowWarp> show = {};
  WarpView view = WarpView::step;
  WarpStride stride = WarpStride::access;
};
std::string to_text(const WarpShown& w);
WarpDesk warp_desk_of(const std::string& text);

}  // namespace warpspy::ui
