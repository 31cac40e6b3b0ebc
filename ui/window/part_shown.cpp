#include "ui/window/part_shown.hpp"

#include <dlfcn.h>
#include <epoxy/gl.h>

#include <string_view>
#include <type_traits>

namespace warpspy::ui {

namespace {

// Types and functions of GLX, since its headers need those of X11. Nothing is linked: on Wayland there may be no GLX.
using Display = struct Display_;
using Drawable = unsigned long;  // NOLINT(google-runtime-int): X11's XID
using Context = struct Context_*;
constexpr int kScreen = 0x800C;  // GLX_SCREEN

struct Glx {
  Display* (*display)() = nullptr;
  Drawable (*drawable)() = nullptr;
  Context (*context)() = nullptr;
  int (*query)(Display*, Context, int, int*) = nullptr;
  const char* (*extensions)(Display*, int) = nullptr;
  void (*(*address)(const unsigned char*))() = nullptr;
};

// Uses only a library that the process has loaded already: without it, no window uses GLX.
bool load(Glx& glx) {
  void* library = nullptr;
  for (const char* name : {"libGLX.so.0", "libGL.so.1"})
    if (!library) library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  return find(glx.display, "glXGetCurrentDisplay") && find(glx.drawable, "glXGetCurrentDrawable") &&
         find(glx.context, "glXGetCurrentContext") && find(glx.query, "glXQueryContext") &&
         find(glx.extensions, "glXQueryExtensionsString") && find(glx.address, "glXGetProcAddressARB");
}

bool is_software() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  const std::string_view renderer = name ? name : "";
  return renderer.find("llvmpipe") != renderer.npos || renderer.find("softpipe") != renderer.npos;
}

class CopiedPart final : public PartShown {
 public:
  using Copy = void (*)(Display*, Drawable, int, int, int, int);
  CopiedPart(Display* display, Drawable drawable, Copy copy) : display_(display), drawable_(drawable), copy_(copy) {}
  void show(const PixelBox& b, int height) override {
    copy_(display_, drawable_, b.left, height - b.bottom, b.right - b.left, b.bottom - b.top);
  }

 private:
  Display* display_;
  Drawable drawable_;
  Copy copy_;
};

}  // namespace

std::unique_ptr<PartShown> find_part_shown() {
  Glx glx;
  if (!is_software() || !load(glx)) return nullptr;
  Display* const display = glx.display();
  int screen = 0;
  if (!display || glx.query(display, glx.context(), kScreen, &screen) != 0) return nullptr;
  const char* extensions = glx.extensions(display, screen);
  if (!extensions || std::string_view(extensions).find("GLX_MESA_copy_sub_buffer") == std::string_view::npos)
    return nullptr;
  const auto copy =
      reinterpret_cast<CopiedPart::Copy>(glx.address(reinterpret_cast<const unsigned char*>("glXCopySubBufferMESA")));
  return copy ? std::make_unique<CopiedPart>(display, glx.drawable(), copy) : nullptr;
}

}  // namespace warpspy::ui
