// Tells how the roofline is shown, as plain data.
#pragma once

#include <optional>

#include "core/plot/figures.hpp"

namespace warpspy::ui {

struct RooflineSettings {
  // Tells which runs of the roofline's device are shown.
  enum class Runs : std::uint8_t { of_matrix, selected, all } runs = Runs::of_matrix;
  plot::RooflineStyle::ColorBy color = plot::RooflineStyle::ColorBy::level;
  std::optional<plot::RooflineStyle::View> view = {};  // zoomed to; none: everything
  bool operator==(const RooflineSettings&) const = default;
};
constexpr const char* name_of(RooflineSettings::Runs r) {
  constexpr const char* names[] = {"this matrix", "selected", "all"};
  return names[static_cast<int>(r)];
}

}  // namespace warpspy::ui
