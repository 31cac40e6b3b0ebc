#include "ui/window/picture.hpp"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "core/base/splitmix.hpp"
#include "ui/look/fonts.hpp"
#include "ui/platform/context.hpp"

namespace warpspy::ui {
namespace {

constexpr int kWidth = 400, kHeight = 300;

class PictureTest : public testing::Test {
 protected:
  PictureTest() : backend(kWidth, kHeight) {
    fonts.load(1, 1);
    backend.begin_frame();  // ImGui settles
    backend.end_frame();
  }
  // A frame with nothing but a box.
  ImDrawData& box_at(float x, ImU32 color = IM_COL32_WHITE) {
    backend.begin_frame();
    ImGui::GetForegroundDrawList()->AddRectFilled(ImVec2(x, 10), ImVec2(x + 20, 30), color);
    backend.end_frame();
    return *ImGui::GetDrawData();
  }
  bool changes(const ImDrawData& data, std::uint32_t ground = 0) {
    return !picture.changes_to(data, ground, 0).empty();
  }

  NullBackend backend;
  FontSet fonts;
  Picture picture;
};

TEST_F(PictureTest, ChangesWithWhatIsDrawnAndWithNothingElse) {
  EXPECT_TRUE(changes(box_at(10))) << "the first";
  EXPECT_FALSE(changes(box_at(10))) << "the same again";
  EXPECT_TRUE(changes(box_at(11))) << "a box a pixel further";
  EXPECT_TRUE(changes(box_at(11, IM_COL32_BLACK))) << "of another colour";
  EXPECT_FALSE(changes(box_at(11, IM_COL32_BLACK)));
  EXPECT_TRUE(changes(box_at(11, IM_COL32_BLACK), 1)) << "on another ground";
  ImGui::GetIO().DisplaySize.x += 100;
  EXPECT_TRUE(changes(box_at(11, IM_COL32_BLACK), 1)) << "a wider window";
  EXPECT_FALSE(changes(box_at(11, IM_COL32_BLACK), 1));
  picture.forget();
  EXPECT_TRUE(changes(box_at(11, IM_COL32_BLACK), 1)) << "what was shown is lost";
}

TEST_F(PictureTest, OnlyThePartWhereItChangesIsNew) {
  const PixelBox all = {0, 0, kWidth, kHeight};
  EXPECT_EQ(picture.changes_to(box_at(10), 0, 0), std::vector{all});
  // From 10 to 40 and from 200 to 220: the tiles of 32 pixels that these touch.
  const std::vector<PixelBox> here_and_there = {{0, 0, 64, 32}, {192, 0, 224, 32}};
  box_at(10);
  ASSERT_TRUE(picture.changes_to(*ImGui::GetDrawData(), 0, 0).empty());
  EXPECT_EQ(picture.changes_to(box_at(20), 0, 0), (std::vector<PixelBox>{{0, 0, 64, 32}}));
  EXPECT_EQ(picture.changes_to(box_at(200), 0, 0), here_and_there);
  // Where a pixel of the window is several of the framebuffer parts are not cut out.
  ImGui::GetIO().DisplayFramebufferScale = ImVec2(2, 2);
  const PixelBox all_of_more = {0, 0, 2 * kWidth, 2 * kHeight};
  EXPECT_EQ(picture.changes_to(box_at(200), 0, 0), std::vector{all_of_more});
  EXPECT_EQ(picture.changes_to(box_at(210), 0, 0), std::vector{all_of_more});
  EXPECT_TRUE(picture.changes_to(box_at(210), 0, 0).empty());
}

TEST(ChangedTiles, ManySmallPartsAreTakenTogether) {
  ChangedTiles tiles(1280, 800);
  int marked = 0;
  for (int y = 10; y < 800; y += 64)
    for (int x = 10; x < 640; x += 64) tiles.mark({x, y, x + 5, y + 5}), ++marked;
  const std::vector<PixelBox> boxes = tiles.boxes();
  EXPECT_LT(static_cast<int>(boxes.size()), marked / 4);
  const PixelBox all = around(boxes);
  EXPECT_EQ(all, (PixelBox{0, 0, 640, 800})) << "no more than the half that they are in";
}

TEST(ChangedTiles, BandsHoldWhatTheBoxesHold) {
  const std::vector<PixelBox> boxes = {{0, 0, 10, 250}, {20, 90, 30, 110}, {40, 400, 50, 500}};
  const std::vector<std::vector<PixelBox>> wanted = {{{0, 0, 10, 100}, {20, 90, 30, 100}},
                                                     {{0, 100, 10, 200}, {20, 100, 30, 110}},
                                                     {{0, 200, 10, 250}},
                                                     {{40, 400, 50, 500}}};
  EXPECT_EQ(in_bands(boxes, 100), wanted);
  EXPECT_TRUE(in_bands({}, 100).empty());
}

TEST_F(PictureTest, WithNewTexturesOnlyWhatIsDrawnWithTexturesIsNew) {
  const auto words_and_image = [&](std::uint64_t textures_made) {
    backend.begin_frame();
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddText(ImVec2(10, 10), IM_COL32_WHITE, "words");
    list.AddImage((ImTextureID)(std::uintptr_t)77, ImVec2(200, 100), ImVec2(220, 120));
    backend.end_frame();
    return picture.changes_to(*ImGui::GetDrawData(), 0, textures_made);
  };
  words_and_image(0);
  EXPECT_TRUE(words_and_image(0).empty());
  EXPECT_EQ(words_and_image(1), (std::vector<PixelBox>{{192, 96, 224, 128}}));
  EXPECT_TRUE(words_and_image(1).empty());
}

// Painted by the order of triangles alone: a pixel is the sum of all that cover it, one after another. So any that is
// missing, in excess or in another order shows.
class Canvas {
 public:
  Canvas() : pixels_(static_cast<std::size_t>(kWidth) * kHeight) {}
  bool operator==(const Canvas&) const = default;

  void clear(const PixelBox& b) {
    for (int y = b.top; y < b.bottom; ++y)
      for (int x = b.left; x < b.right; ++x) at(x, y) = 0;
  }
  // As ImGui_ImplOpenGL3_RenderDrawData().
  void paint(const ImDrawData& data) {
    for (int l = 0; l < data.CmdListsCount; ++l) {
      const ImDrawList& list = *data.CmdLists[l];
      for (const ImDrawCmd& c : list.CmdBuffer) {
        const ImVec4 clip = c.ClipRect;
        if (clip.z <= clip.x || clip.w <= clip.y) continue;
        const int left = static_cast<int>(clip.x), below = static_cast<int>(kHeight - clip.w);
        const int width = static_cast<int>(clip.z - clip.x), height = static_cast<int>(clip.w - clip.y);
        const PixelBox scissor =
            common({left, kHeight - below - height, left + width, kHeight - below}, {0, 0, kWidth, kHeight});
        for (unsigned k = 0; k < c.ElemCount; k += 3) {
          const ImDrawVert* corners[3];
          for (unsigned n = 0; n < 3; ++n)
            corners[n] =
                &list.VtxBuffer[static_cast<int>(c.VtxOffset + list.IdxBuffer[static_cast<int>(c.IdxOffset + k + n)])];
          add(corners, scissor);
        }
      }
    }
  }

 private:
  std::uint64_t& at(int x, int y) {
    return pixels_[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)];
  }
  void add(const ImDrawVert* const (&corners)[3], const PixelBox& scissor) {
    std::uint64_t name = 0;
    for (const ImDrawVert* v : corners)
      for (const float value : {v->pos.x, v->pos.y, v->uv.x, v->uv.y, static_cast<float>(v->col)})
        name = splitmix::after(name ^ static_cast<std::uint64_t>(std::lround(value * 4096.0)));
    const auto side = [&](int a, int b, double x, double y) {
      const ImVec2 p = corners[a]->pos, q = corners[b]->pos;
      return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
    };
    const auto low = [&](float ImVec2::* axis) {
      return static_cast<int>(std::min({corners[0]->pos.*axis, corners[1]->pos.*axis, corners[2]->pos.*axis})) - 2;
    };
    const auto high = [&](float ImVec2::* axis) {
      return static_cast<int>(std::max({corners[0]->pos.*axis, corners[1]->pos.*axis, corners[2]->pos.*axis})) + 2;
    };
    const PixelBox near = common(scissor, {low(&ImVec2::x), low(&ImVec2::y), high(&ImVec2::x), high(&ImVec2::y)});
    for (int y = near.top; y < near.bottom; ++y)
      for (int x = near.left; x < near.right; ++x) {
        const double sides[] = {side(0, 1, x + 0.5, y + 0.5), side(1, 2, x + 0.5, y + 0.5),
                                side(2, 0, x + 0.5, y + 0.5)};
        const bool in = std::all_of(sides, sides + 3, [](double s) { return s >= 0; }) ||
                        std::all_of(sides, sides + 3, [](double s) { return s <= 0; });
        if (in) at(x, y) = splitmix::after(at(x, y) ^ name);
      }
  }

  std::vector<std::uint64_t> pixels_;
};

TEST_F(PictureTest, WhatIsKeptTouchesTheBoxes) {
  backend.begin_frame();
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  for (const float x : {10.f, 200.f, 300.f}) list.AddRectFilled(ImVec2(x, 10), ImVec2(x + 20, 30), IM_COL32_WHITE);
  backend.end_frame();
  ImDrawData& data = *ImGui::GetDrawData();
  ASSERT_EQ(data.CmdListsCount, 1);
  ASSERT_EQ(data.CmdLists[0]->IdxBuffer.Size, 18);
  Canvas whole;
  whole.paint(data);
  {
    const Part part(data, {{192, 0, 224, 32}});
    EXPECT_EQ(data.CmdLists[0]->IdxBuffer.Size, 6);
    ASSERT_EQ(data.CmdLists[0]->CmdBuffer.Size, 1);
    const ImVec4 clip = data.CmdLists[0]->CmdBuffer[0].ClipRect;
    EXPECT_EQ(std::vector({clip.x, clip.y, clip.z, clip.w}), std::vector({192.f, 0.f, 224.f, 32.f}));
  }
  {
    const Part part(data, {{64, 64, 96, 96}});
    EXPECT_EQ(data.CmdLists[0]->CmdBuffer.Size, 0);
    EXPECT_EQ(data.CmdLists[0]->VtxBuffer.Size, 0) << "nothing is handed to OpenGL";
  }
  Canvas afterwards;
  afterwards.paint(data);
  EXPECT_TRUE(afterwards == whole) << "all is there again";
}

// Windows that come, go, move and change in places, with fractions of pixels everywhere.
TEST_F(PictureTest, PartsPaintedOverTheFrameBeforeAreTheWholeFrame) {
  const unsigned seed = 71;
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto any = [&](double lo, double hi) {
    return static_cast<float>(std::uniform_real_distribution<double>(lo, hi)(random));
  };
  struct Shape {
    ImVec2 at, size;
    ImU32 color;
    int kind;
  };
  const auto shape = [&] {
    const ImU32 color = 0xFF000000u | (random() & 0xFFFFFFu);
    return Shape{
        {any(-10, kWidth), any(-10, kHeight)}, {any(1, 60), any(1, 30)}, color, static_cast<int>(random() % 4)};
  };
  struct Pane {
    bool shown = true;
    ImVec2 at{0, 0}, size{150, 120};
    std::vector<Shape> shapes;
  };
  std::vector<Pane> panes(4);
  for (Pane& p : panes) {
    p.at = {any(0, 300), any(0, 200)};
    for (int k = 0; k < 30; ++k) p.shapes.push_back(shape());
  }
  Canvas kept;
  constexpr int kFrames = 60;
  int partly = 0, owed = 0, complete = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    Pane& changed = panes[random() % panes.size()];
    switch (random() % 6) {
      case 0:
        changed.shown = !changed.shown;
        break;
      case 1:
        changed.at = {any(-20, 300), any(-20, 200)};
        break;
      case 2:
        changed.shapes.erase(changed.shapes.begin() + static_cast<long>(random() % changed.shapes.size()));
        [[fallthrough]];
      default:
        changed.shapes[random() % changed.shapes.size()] = shape();
        changed.shapes.insert(changed.shapes.begin() + static_cast<long>(random() % changed.shapes.size()), shape());
    }
    backend.begin_frame();
    for (std::size_t k = 0; k < panes.size(); ++k) {
      const Pane& p = panes[k];
      if (!p.shown) continue;
      ImGui::SetNextWindowPos(p.at);
      ImGui::SetNextWindowSize(p.size);
      ImGui::Begin(("pane " + std::to_string(k)).c_str(), nullptr, ImGuiWindowFlags_NoDecoration);
      ImDrawList& list = *ImGui::GetWindowDrawList();
      for (const Shape& s : p.shapes) {
        const ImVec2 end(s.at.x + s.size.x, s.at.y + s.size.y);
        if (s.kind == 0) list.PushClipRect(s.at, end, true);
        if (s.kind == 1) list.AddText(s.at, s.color, "words");
        if (s.kind == 2) list.AddLine(s.at, end, s.color, 2);
        if (s.kind != 1) list.AddRectFilled(s.at, {end.x + 7, end.y}, s.color, 3);
        if (s.kind == 0) list.PopClipRect();
      }
      ImGui::End();
    }
    backend.end_frame();
    ImDrawData& data = *ImGui::GetDrawData();
    Canvas whole;
    whole.paint(data);
    const std::vector<PixelBox> parts = picture.changes_to(data, 0, 0);
    partly += !parts.empty() && parts.front() != PixelBox{0, 0, kWidth, kHeight};
    // In bands, and some of them a frame later.
    std::vector<PixelBox> later;
    for (const std::vector<PixelBox>& band : in_bands(parts, 96)) {
      if (random() % 5 == 0) {
        later.insert(later.end(), band.begin(), band.end());
        continue;
      }
      const Part part(data, band);
      for (const PixelBox& b : band) kept.clear(b);
      kept.paint(data);
    }
    owed += !later.empty();
    complete += later.empty();
    ASSERT_TRUE(kept == whole || !later.empty()) << "frame " << frame;
    picture.owe(later);
  }
  EXPECT_GT(partly, kFrames / 3) << "else this shows little";
  EXPECT_GT(owed, kFrames / 6);
  EXPECT_GT(complete, kFrames / 6);
}

}  // namespace
}  // namespace warpspy::ui
