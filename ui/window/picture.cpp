#include "ui/window/picture.hpp"

#include <imgui.h>

#include <cstddef>
#include <cstring>

#include "core/base/splitmix.hpp"

namespace warpspy::ui {

namespace {

// Four sums side by side, since each step of one waits for the step before.
class Sum {
 public:
  void add(std::uint64_t word) { sums_[0] = splitmix::after(sums_[0] ^ word); }
  void add(const void* bytes, std::size_t size) {
    const auto* from = static_cast<const char*>(bytes);
    std::size_t k = 0;
    for (; k + sizeof sums_ <= size; k += sizeof sums_) {
      std::uint64_t words[4];
      std::memcpy(words, from + k, sizeof words);
      for (int i = 0; i < 4; ++i) sums_[i] = splitmix::after(sums_[i] ^ words[i]);
    }
    for (; k < size; ++k) add(static_cast<unsigned char>(from[k]));
    add(size);
  }
  std::uint64_t value() const {
    std::uint64_t all = 0;
    for (const std::uint64_t sum : sums_) all = splitmix::after(all ^ sum);
    return all;
  }

 private:
  std::uint64_t sums_[4] = {};
};

// Since 1.92 textures are made and changed by whoever paints.
bool has_textures_to_make([[maybe_unused]] const ImDrawData& data) {
#if IMGUI_VERSION_NUM >= 19200
  if (!data.Textures) return false;
  for (const ImTextureData* t : *data.Textures)
    if (t->Status != ImTextureStatus_OK) return true;
#endif
  return false;
}

}  // namespace

bool Picture::changes_to(const ImDrawData& data, std::uint64_t beside) {
  if (has_textures_to_make(data)) {
    forget();
    return true;
  }
  Sum sum;
  sum.add(beside);
  const ImVec2 places[] = {data.DisplayPos, data.DisplaySize, data.FramebufferScale};
  sum.add(places, sizeof places);
  for (int k = 0; k < data.CmdListsCount; ++k) {
    const ImDrawList& list = *data.CmdLists[k];
    for (const ImDrawCmd& c : list.CmdBuffer) {
      sum.add(&c.ClipRect, sizeof c.ClipRect);
      sum.add((std::uint64_t)(std::uintptr_t)c.GetTexID());
      sum.add(std::uint64_t{c.VtxOffset} << 32 | c.IdxOffset);
      sum.add(c.ElemCount);
    }
    sum.add(list.IdxBuffer.Data, static_cast<std::size_t>(list.IdxBuffer.size_in_bytes()));
    sum.add(list.VtxBuffer.Data, static_cast<std::size_t>(list.VtxBuffer.size_in_bytes()));
  }
  const bool same = known_ && sum.value() == last_;
  known_ = true, last_ = sum.value();
  return !same;
}

}  // namespace warpspy::ui
