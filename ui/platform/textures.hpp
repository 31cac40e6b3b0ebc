// Textures are pixels on the graphics card. Their handles free them automatically.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace warpspy::ui {

using TextureId = std::uint64_t;  // texture for ImGui to draw; 0: none

// Makes and frees textures. It is called on the UI thread only, and must outlive every Texture that it made.
class TextureStore {
 public:
  virtual ~TextureStore() = default;
  // RGBA pixels (0xAABBGGRR), row-major; sampled with the nearest neighbour, so that cells stay crisp.
  virtual TextureId create(int width, int height, std::span<const std::uint32_t> rgba) = 0;
  virtual void destroy(TextureId id) noexcept = 0;
  virtual std::uint64_t made() const = 0;  // how many were made, with the freed ones
};

// Only counts textures and draws nothing, for tests.
class NullTextures final : public TextureStore {
 public:
  TextureId create(int, int, std::span<const std::uint32_t>) override { return ++alive_, ++last_; }
  void destroy(TextureId) noexcept override { --alive_; }
  std::uint64_t made() const override { return last_; }
  int alive() const { return alive_; }

 private:
  TextureId last_ = 100;
  int alive_ = 0;
};

std::unique_ptr<TextureStore> make_gl_textures();  // needs a current OpenGL context

class Texture {
 public:
  Texture() = default;
  Texture(TextureStore& store, int width, int height, std::span<const std::uint32_t> rgba)
      : store_(&store), id_(store.create(width, height, rgba)) {}
  ~Texture() { reset(); }
  Texture(Texture&& o) noexcept : store_(o.store_), id_(std::exchange(o.id_, 0)) {}
  Texture& operator=(Texture&& o) noexcept {
    if (this == &o) return *this;
    reset();
    store_ = o.store_;
    id_ = std::exchange(o.id_, 0);
    return *this;
  }
  TextureId id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  void reset() noexcept {
    if (id_ != 0) store_->destroy(id_);
    id_ = 0;
  }
  TextureStore* store_ = nullptr;
  TextureId id_ = 0;
};

}  // namespace warpspy::ui
