#include <epoxy/gl.h>

#include "ui/platform/textures.hpp"

namespace warpspy::ui {

namespace {

class GlTextures final : public TextureStore {
 public:
  TextureId create(int width, int height, std::span<const std::uint32_t> rgba) override {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    ++made_;
    return name;
  }
  void destroy(TextureId id) noexcept override {
    const auto name = static_cast<GLuint>(id);
    glDeleteTextures(1, &name);
  }
  std::uint64_t made() const override { return made_; }

 private:
  std::uint64_t made_ = 0;
};

}  // namespace

std::unique_ptr<TextureStore> make_gl_textures() { return std::make_unique<GlTextures>(); }

}  // namespace warpspy::ui
