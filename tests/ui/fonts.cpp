// The window's faces have every sign that the program writes: none is drawn as "?".
#include "ui/look/fonts.hpp"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <iomanip>

#include "tests/drawn_signs.hpp"
#include "tests/paths.hpp"

namespace warpspy::ui {
namespace {

bool has(ImFont* font, char32_t sign) {
#if IMGUI_VERSION_NUM >= 19200
  return font->IsGlyphInFont(static_cast<ImWchar>(sign));
#else
  return font->FindGlyphNoFallback(static_cast<ImWchar>(sign)) != nullptr;
#endif
}

TEST(WindowFonts, HaveEverySignThatTheProgramWrites) {
  const auto signs = drawn_signs::all(WARPSPY_SOURCE_DIR);
  ASSERT_FALSE(signs.empty());
  ImGui::CreateContext();
  FontSet fonts;
  fonts.load(1, 1);
  for (Face face : {Face::ui, Face::bold, Face::mono})
    for (const float size : {11.f, 13.f, 15.f, 22.f})
      for (const auto& [sign, where] : signs)
        EXPECT_TRUE(has(fonts.pick(face, size).font, sign))
            << "U+" << std::hex << static_cast<unsigned>(sign) << ", written by " << where;
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace warpspy::ui
