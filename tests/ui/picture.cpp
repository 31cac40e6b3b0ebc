#include "ui/window/picture.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include "ui/look/fonts.hpp"
#include "ui/platform/context.hpp"

namespace warpspy::ui {
namespace {

// A frame with nothing but a box.
const ImDrawData& frame_with_box(NullBackend& backend, float x, ImU32 color = IM_COL32_WHITE) {
  backend.begin_frame();
  ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(x, 10), ImVec2(x + 20, 30), color);
  backend.end_frame();
  return *ImGui::GetDrawData();
}

TEST(Picture, ChangesWithWhatIsDrawnAndWithNothingElse) {
  NullBackend backend(800, 600);
  FontSet fonts;
  fonts.load(1, 1);
  Picture picture;
  frame_with_box(backend, 10);  // ImGui settles
  EXPECT_TRUE(picture.changes_to(frame_with_box(backend, 10), 0)) << "the first";
  EXPECT_FALSE(picture.changes_to(frame_with_box(backend, 10), 0)) << "the same again";
  EXPECT_TRUE(picture.changes_to(frame_with_box(backend, 11), 0)) << "a box a pixel further";
  EXPECT_TRUE(picture.changes_to(frame_with_box(backend, 11, IM_COL32_BLACK), 0)) << "of another colour";
  EXPECT_FALSE(picture.changes_to(frame_with_box(backend, 11, IM_COL32_BLACK), 0));
  EXPECT_TRUE(picture.changes_to(frame_with_box(backend, 11, IM_COL32_BLACK), 1)) << "a texture was made meanwhile";
  ImGui::GetIO().DisplaySize.x += 100;
  EXPECT_TRUE(picture.changes_to(frame_with_box(backend, 11, IM_COL32_BLACK), 1)) << "a wider window";
  EXPECT_FALSE(picture.changes_to(frame_with_box(backend, 11, IM_COL32_BLACK), 1));
  picture.forget();
  EXPECT_TRUE(picture.changes_to(frame_with_box(backend, 11, IM_COL32_BLACK), 1)) << "what was shown is lost";
}

}  // namespace
}  // namespace warpspy::ui
