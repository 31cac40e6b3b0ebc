#include "ui/window/picture.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "ui/platform/compat.hpp"

namespace warpspy::ui {

struct PaintedList {
  struct Command {
    std::array<float, 4> clip;
    std::uint64_t texture;
    unsigned first_vertex, first_index, indices;
    bool operator==(const Command&) const = default;
  };
  const char* owner = nullptr;  // the window's name; only its address is compared
  std::vector<Command> commands;
  std::vector<ImDrawIdx> indices;
  std::vector<ImDrawVert> vertices;

  void take(const ImDrawList& list) {
    owner = list._OwnerName;
    commands.clear();
    for (const ImDrawCmd& c : list.CmdBuffer)
      commands.push_back({{c.ClipRect.x, c.ClipRect.y, c.ClipRect.z, c.ClipRect.w},
                          (std::uint64_t)(std::uintptr_t)c.GetTexID(),
                          c.VtxOffset,
                          c.IdxOffset,
                          c.ElemCount});
    indices.assign(list.IdxBuffer.begin(), list.IdxBuffer.end());
    vertices.assign(list.VtxBuffer.begin(), list.VtxBuffer.end());
  }
};

namespace {

// Since 1.92 the backend makes and changes textures when it paints.
bool has_textures_to_make([[maybe_unused]] const ImDrawData& data) {
#if IMGUI_VERSION_NUM >= 19200
  if (!data.Textures) return false;
  for (const ImTextureData* t : *data.Textures)
    if (t->Status != ImTextureStatus_OK) return true;
#endif
  return false;
}

// The scissor rectangle of ImGui_ImplOpenGL3_RenderDrawData(): it truncates the fractions of corner and size.
PixelBox scissor_of(const std::array<float, 4>& clip, const ImDrawData& data) {
  const float height = data.DisplaySize.y;
  const ImVec2 low(clip[0] - data.DisplayPos.x, clip[1] - data.DisplayPos.y),
      high(clip[2] - data.DisplayPos.x, clip[3] - data.DisplayPos.y);
  if (high.x <= low.x || high.y <= low.y) return {};
  const int left = static_cast<int>(low.x), from_below = static_cast<int>(height - high.y);
  const int bottom = static_cast<int>(height) - from_below;
  return {left, bottom - static_cast<int>(high.y - low.y), left + static_cast<int>(high.x - low.x), bottom};
}

ImVec4 clip_of(const PixelBox& b, const ImDrawData& data) {
  const auto x = [&](int pixel) { return static_cast<float>(pixel) + data.DisplayPos.x; };
  const auto y = [&](int pixel) { return static_cast<float>(pixel) + data.DisplayPos.y; };
  return {x(b.left), y(b.top), x(b.right), y(b.bottom)};
}

struct Triangle {
  const PaintedList::Command* command;
  const ImDrawVert* corners[3];
};

bool alike(const ImDrawVert& a, const ImDrawVert& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool alike(const Triangle& a, const Triangle& b) {
  return a.command->clip == b.command->clip && a.command->texture == b.command->texture &&
         std::equal(a.corners, a.corners + 3, b.corners,
                    [](const ImDrawVert* v, const ImDrawVert* w) { return alike(*v, *w); });
}

bool looks_like(const PaintedList& a, const PaintedList& b) {
  return a.commands == b.commands && a.indices == b.indices &&
         std::equal(a.vertices.begin(), a.vertices.end(), b.vertices.begin(), b.vertices.end(),
                    [](const ImDrawVert& v, const ImDrawVert& w) { return alike(v, w); });
}

std::vector<Triangle> triangles_of(const PaintedList& list) {
  std::vector<Triangle> all;
  all.reserve(list.indices.size() / 3);
  for (const PaintedList::Command& c : list.commands)
    for (unsigned k = 0; k + 2 < c.indices; k += 3) {
      const ImDrawIdx* const at = &list.indices[c.first_index + k];
      const ImDrawVert* const first = list.vertices.data() + c.first_vertex;
      all.push_back({&c, {first + at[0], first + at[1], first + at[2]}});
    }
  return all;
}

// All pixels that a triangle may cover.
PixelBox box_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec2& corner) {
  const auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
  const auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
  return {static_cast<int>(std::floor(left - corner.x)), static_cast<int>(std::floor(top - corner.y)),
          static_cast<int>(std::ceil(right - corner.x)), static_cast<int>(std::ceil(bottom - corner.y))};
}

// How many elements two sequences have in common at the start, and how many of the rest at the end.
struct Alike {
  std::size_t begin = 0, end = 0;
};
template <class T, class Same>
Alike compare(const std::vector<T>& a, const std::vector<T>& b, const Same& same) {
  const std::size_t most = std::min(a.size(), b.size());
  Alike n;
  while (n.begin < most && same(a[n.begin], b[n.begin])) ++n.begin;
  while (n.begin + n.end < most && same(a[a.size() - 1 - n.end], b[b.size() - 1 - n.end])) ++n.end;
  return n;
}
template <class T>
std::span<const T> middle(const std::vector<T>& all, const Alike& n) {
  return std::span(all).subspan(n.begin, all.size() - n.begin - n.end);
}

}  // namespace

PixelBox whole(const ImDrawData& data) {
  // Rounded: at 150 % the product may be slightly less than the number of pixels.
  return {0, 0, static_cast<int>(std::lround(data.DisplaySize.x * data.FramebufferScale.x)),
          static_cast<int>(std::lround(data.DisplaySize.y * data.FramebufferScale.y))};
}

Picture::Picture() = default;
Picture::~Picture() = default;

std::vector<PixelBox> Picture::changes_to(const ImDrawData& data, std::uint32_t ground, std::uint64_t textures_made) {
  const ImVec2 size = data.DisplaySize, scale = data.FramebufferScale;
  const float place[] = {data.DisplayPos.x, data.DisplayPos.y, size.x, size.y, scale.x, scale.y};
  const bool all_new = !known_ || ground != ground_ || !std::equal(place, std::end(place), place_);
  std::copy(place, std::end(place), place_);
  ground_ = ground;
  const bool other_textures = std::exchange(textures_made_, textures_made) != textures_made;
  known_ = !has_textures_to_make(data);
  last_.swap(next_);
  last_.resize(static_cast<std::size_t>(data.CmdListsCount));
  for (std::size_t k = 0; k < last_.size(); ++k) last_[k].take(*data.CmdLists[static_cast<int>(k)]);
  const std::vector<PaintedList>& before = next_;
  const std::vector<PixelBox> owed = std::exchange(owed_, {});
  if (all_new || has_textures_to_make(data)) return {whole(data)};

  ChangedTiles changed(static_cast<int>(std::ceil(size.x)), static_cast<int>(std::ceil(size.y)));
  for (const PixelBox& b : owed) changed.mark(b);
  const auto mark = [&](std::span<const Triangle> triangles) {
    for (const Triangle& t : triangles)
      changed.mark(common(scissor_of(t.command->clip, data),
                          box_of(*t.corners[0], *t.corners[1], *t.corners[2], data.DisplayPos)));
  };
  const auto mark_change = [&](const PaintedList& a, const PaintedList& b) {
    if (looks_like(a, b)) return;
    const std::vector<Triangle> was = triangles_of(a), is = triangles_of(b);
    const Alike n = compare(was, is, [](const Triangle& t, const Triangle& u) { return alike(t, u); });
    mark(middle(was, n)), mark(middle(is, n));
  };
  // Windows that appear, disappear or change their order are painted as a whole.
  const Alike n = compare(before, last_, [](const PaintedList& a, const PaintedList& b) { return a.owner == b.owner; });
  for (const PaintedList& list : middle(before, n)) mark(triangles_of(list));
  for (const PaintedList& list : middle(last_, n)) mark(triangles_of(list));
  for (std::size_t k = 0; k < n.begin; ++k) mark_change(before[k], last_[k]);
  for (std::size_t k = 1; k <= n.end; ++k) mark_change(before[before.size() - k], last_[last_.size() - k]);

  if (other_textures)
    for (const PaintedList& list : last_)
      for (const Triangle& t : triangles_of(list))
        if (t.command->texture != glyph_texture()) mark({&t, 1});

  const std::vector<PixelBox> boxes = changed.boxes();
  const bool in_pixels = scale.x == 1 && scale.y == 1;
  return boxes.empty() || in_pixels ? boxes : std::vector{whole(data)};
}

struct Part::Left {
  ImVector<ImDrawCmd> commands;
  ImVector<ImDrawIdx> indices;
  int vertices = 0;
};

Part::Part(ImDrawData& data, const std::vector<PixelBox>& boxes) : data_(data) {
  left_.resize(static_cast<std::size_t>(data.CmdListsCount));
  for (int l = 0; l < data.CmdListsCount; ++l) {
    ImDrawList& list = *data.CmdLists[l];
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
    for (const ImDrawCmd& c : list.CmdBuffer) {
      if (c.UserCallback) {
        commands.push_back(c);
        continue;
      }
      const PixelBox scissor = scissor_of({c.ClipRect.x, c.ClipRect.y, c.ClipRect.z, c.ClipRect.w}, data);
      for (const PixelBox& box : boxes) {
        const PixelBox seen = common(scissor, box);
        if (seen.is_empty()) continue;
        ImDrawCmd part = c;
        part.ClipRect = clip_of(seen, data);
        part.IdxOffset = static_cast<unsigned>(indices.Size);
        for (unsigned k = 0; k + 2 < c.ElemCount; k += 3) {
          const ImDrawIdx* const at = list.IdxBuffer.Data + c.IdxOffset + k;
          const ImDrawVert* const first = list.VtxBuffer.Data + c.VtxOffset;
          if (common(seen, box_of(first[at[0]], first[at[1]], first[at[2]], data.DisplayPos)).is_empty()) continue;
          for (int corner = 0; corner < 3; ++corner) indices.push_back(at[corner]);
        }
        part.ElemCount = static_cast<unsigned>(indices.Size) - part.IdxOffset;
        if (part.ElemCount > 0) commands.push_back(part);
      }
    }
    Left& left = left_[static_cast<std::size_t>(l)];
    left.vertices = list.VtxBuffer.Size;
    if (commands.empty()) list.VtxBuffer.resize(0);  // ImGui's data stays as it is
    list.CmdBuffer.swap(left.commands), list.CmdBuffer.swap(commands);
    list.IdxBuffer.swap(left.indices), list.IdxBuffer.swap(indices);
  }
}

Part::~Part() {
  for (int l = 0; l < data_.CmdListsCount; ++l) {
    Left& left = left_[static_cast<std::size_t>(l)];
    ImDrawList& list = *data_.CmdLists[l];
    list.CmdBuffer.swap(left.commands);
    list.IdxBuffer.swap(left.indices);
    list.VtxBuffer.resize(left.vertices);  // restores the vertices that were kept
  }
}

}  // namespace warpspy::ui
