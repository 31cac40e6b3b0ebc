// Figures of a paper as this program draws them: tests/golden holds the exact calls, docs/bell-garland the pictures.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/plot/export.hpp"
#include "core/plot/theme.hpp"
#include "tests/paths.hpp"
#include "tests/unit/plot/recording_canvas.hpp"

namespace warpspy::testing {

// The figure, drawn so high, is the golden one of that name. With WARPSPY_UPDATE_GOLDEN=1 it becomes that.
inline void expect_golden(const plot::Plot& figure, const std::string& name, double height) {
  namespace fs = std::filesystem;
  constexpr double width = 760, pixels_per_point = 1.5;
  const plot::Theme theme = plot::light_theme();
  plot::RecordingCanvas canvas;
  plot::draw(figure, canvas, {0, 0, width, height}, theme);
  const fs::path golden = fs::path(WARPSPY_SOURCE_DIR) / "tests/golden" / (name + ".txt");
  const char* update = std::getenv("WARPSPY_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") {
    std::ofstream(golden) << canvas.calls;
    const fs::path picture = fs::path(WARPSPY_SOURCE_DIR) / "docs/bell-garland" / (name + ".png");
    plot::export_plot(figure, picture.string(), width, height, theme, pixels_per_point);
  }
  std::ifstream file(golden, std::ios::binary);
  const std::string before{std::istreambuf_iterator<char>(file), {}};
  if (before == canvas.calls) return;
  const fs::path actual = fs::read_symlink("/proc/self/exe").parent_path() / ("actual_" + name + ".txt");
  std::ofstream(actual) << canvas.calls;
  ADD_FAILURE() << name << " differs: compare it with diff " << golden << " " << actual
                << "; if the new one is right, run this test with WARPSPY_UPDATE_GOLDEN=1.";
}

}  // namespace warpspy::testing
