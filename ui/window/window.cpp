#include "ui/window/window.hpp"

#include <epoxy/gl.h>
// After epoxy: GLFW would include GL itself.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/io/io.hpp"
#include "core/plot/export.hpp"
#include "core/session/desk.hpp"
#include "core/session/desk_folder.hpp"
#include "ui/commands/commands.hpp"
#include "ui/platform/context.hpp"
#include "ui/platform/system_dialog.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/window/frame_log.hpp"
#include "ui/window/part_shown.hpp"
#include "ui/window/picture.hpp"
#include "ui/window/quit_signals.hpp"
#include "ui/window/shell.hpp"

namespace warpspy::ui {

namespace {

// How many frames follow an event: ImGui needs one more frame for hover and layout, two for tooltips.
constexpr int kSettle = 3;

// How many rows of pixels are painted at a time, and until when after the start of a frame another band is started.
constexpr int kBand = 160;
constexpr double kPaintUntil_s = 0.008;
// After a resize the X server may still show the picture of the old size that was on its way. So it is drawn once more.
constexpr double kAgainAfter_s = 0.2;

struct Glfw {
  std::string problem;
  bool up = false;
  Glfw() {
    glfwSetErrorCallback([](int, const char* text) { last() = text ? text : ""; });
    up = glfwInit() == GLFW_TRUE;
  }
  ~Glfw() {
    if (up) glfwTerminate();
  }
  static std::string& last() {
    static std::string text;  // GLFW's error callback has no user pointer
    return text;
  }
};

struct DestroyWindow {
  void operator()(GLFWwindow* w) const { glfwDestroyWindow(w); }
};
using WindowPtr = std::unique_ptr<GLFWwindow, DestroyWindow>;

// The events that GLFW's callbacks record for the loop.
struct Events {
  int frames = kSettle;  // still to be drawn
  std::vector<std::string> dropped;
  Hands hands;                    // the user's events since the last frame
  std::atomic<bool> mail{false};  // set by workers: a result waits
  std::atomic<bool> quit{false};  // the system has asked the program to end
  bool uncovered = false;         // the system has lost what was shown
  bool resized = true;            // sizes, scale and screen must be read again: on X11 each query waits for the server
  void touch() { frames = kSettle; }
};
Events& events_of(GLFWwindow* w) { return *static_cast<Events*>(glfwGetWindowUserPointer(w)); }

// GLFW names keys by their place on a US keyboard; here the printed character counts, such as plus and letters.
int as_printed(int key, int scancode) {
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL) return key;
  const char* name = glfwGetKeyName(key, scancode);
  if (!name || !name[0] || name[1]) return key;
  const char c = name[0];
  if (c >= 'a' && c <= 'z') return GLFW_KEY_A + (c - 'a');
  if (c == '+') return GLFW_KEY_EQUAL;
  return c > 32 && c < 127 ? static_cast<int>(c) : key;
}

void did(GLFWwindow* w, const HandEvent& e) {
  events_of(w).hands.push(e);
  events_of(w).touch();
}

// On X11 the bits that come with a modifier key show the state before it.
Modifiers held_now(GLFWwindow* w) {
  const auto down = [w](int key) { return glfwGetKey(w, key) == GLFW_PRESS; };
  return {down(GLFW_KEY_LEFT_CONTROL) || down(GLFW_KEY_RIGHT_CONTROL),
          down(GLFW_KEY_LEFT_SHIFT) || down(GLFW_KEY_RIGHT_SHIFT), down(GLFW_KEY_LEFT_ALT)};
}

void heard_key(GLFWwindow* w, int key, int scancode, int action, int modifiers) {
  using What = HandEvent::What;
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER)
    return did(w, {.what = What::modifiers, .held = held_now(w)});
  const What what = action == GLFW_PRESS ? What::press : action == GLFW_REPEAT ? What::again : What::release;
  did(w, {.what = what, .key = key_of(as_printed(key, scancode)), .held = modifiers_of(modifiers)});
}

// ImGui's backend installs no callbacks: all events go through one queue.
void listen(GLFWwindow* w) {
  using What = HandEvent::What;
  glfwSetKeyCallback(w, heard_key);
  glfwSetCharCallback(w, [](GLFWwindow* x, unsigned c) { did(x, {.what = What::letter, .letter = c}); });
  glfwSetCursorPosCallback(w, [](GLFWwindow* x, double left, double top) {
    did(x, {.what = What::move, .x = static_cast<float>(left), .y = static_cast<float>(top)});
  });
  glfwSetCursorEnterCallback(w, [](GLFWwindow* x, int entered) {
    double left = 0, top = 0;
    glfwGetCursorPos(x, &left, &top);
    did(x, {.what = entered ? What::move : What::leave, .x = static_cast<float>(left), .y = static_cast<float>(top)});
  });
  glfwSetMouseButtonCallback(w, [](GLFWwindow* x, int button, int action, int modifiers) {
    const Modifiers held = modifiers_of(modifiers);
    did(x, {.what = What::button, .button = button, .down = action == GLFW_PRESS, .held = held});
  });
  glfwSetScrollCallback(w, [](GLFWwindow* x, double along, double steps) {
    did(x, {.what = What::wheel, .x = static_cast<float>(along), .y = static_cast<float>(steps)});
  });
  glfwSetWindowFocusCallback(w, [](GLFWwindow* x, int gained) { did(x, {.what = What::focus, .down = gained != 0}); });
  glfwSetFramebufferSizeCallback(w, [](GLFWwindow* x, int, int) { events_of(x).touch(), events_of(x).resized = true; });
  glfwSetWindowContentScaleCallback(
      w, [](GLFWwindow* x, float, float) { events_of(x).touch(), events_of(x).resized = true; });
  glfwSetWindowRefreshCallback(w, [](GLFWwindow* x) { events_of(x).touch(), events_of(x).uncovered = true; });
  glfwSetDropCallback(w, [](GLFWwindow* x, int count, const char** paths) {
    events_of(x).dropped.insert(events_of(x).dropped.end(), paths, paths + count);
    events_of(x).touch();
  });
}

int no_window(const std::string& why) {
  std::string line = why;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::fprintf(stderr,
               "warpspy: no window: %s; the commands work without one, such as warpspy info FILE (warpspy --help)\n",
               line.c_str());
  return 1;
}

class Gl3Backend {
 public:
  explicit Gl3Backend(GLFWwindow* w) {
    ImGui_ImplGlfw_InitForOpenGL(w, false);
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~Gl3Backend() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  Gl3Backend(const Gl3Backend&) = delete;
  Gl3Backend& operator=(const Gl3Backend&) = delete;
};

struct Scale {
  float ui = 1, pixel = 1;
  bool operator==(const Scale&) const = default;
};

// On X11 the window's coordinates are pixels, so the whole interface is scaled. On Wayland and macOS the framebuffer is
// finer than the window, so only the glyphs are.
Scale scale_of(GLFWwindow* w, double wanted) {
  int width = 0, height = 0, fb_width = 0, fb_height = 0;
  float content_x = 1, content_y = 1;
  glfwGetWindowSize(w, &width, &height);
  glfwGetFramebufferSize(w, &fb_width, &fb_height);
  glfwGetWindowContentScale(w, &content_x, &content_y);
  const float pixel = width > 0 && fb_width > 0 ? static_cast<float>(fb_width) / static_cast<float>(width) : 1.f;
  const float total = wanted > 0 ? static_cast<float>(wanted) : std::clamp(content_x, 0.5f, 4.f);
  return {wanted > 0 ? total : std::max(0.5f, total / pixel), pixel};
}

class Loop {
 public:
  Loop(GLFWwindow* window, const WindowOptions& options, Session& session, Events& events)
      : window_(window),
        options_(options),
        session_(session),
        events_(events),
        backend_(window),
        textures_(make_gl_textures()),
        shell_(std::make_unique<Shell>(session, *textures_)) {
    warm_up();
    if (!options.frames.empty()) log_.emplace(options.frames);
  }

  int serve() {
    while (!glfwWindowShouldClose(window_) && !session_.state().quit && !events_.quit) {
      wait();
      take_dropped();
      if (events_.frames <= 0) continue;
      --events_.frames;
      draw();
      if (scripted() && !step()) return exit_;
    }
    return exit_;
  }

 private:
  bool scripted() const { return !options_.screenshot.empty() || !options_.script.empty(); }

  void wait() {
    const AppState& s = session_.state();
    if (events_.frames > 0) {
      // Draws no more frames than the screen shows if swapping does not wait for it. Events meanwhile are in the next
      // frame.
      for (double rest = 0; (rest = next_picture_s_ - glfwGetTime()) > 0 && !events_.quit;) glfwWaitEventsTimeout(rest);
      glfwPollEvents();
    } else if (!s.jobs.empty()) {
      glfwWaitEventsTimeout(0.1);  // progress moves ten times a second
      events_.frames = std::max(events_.frames, 1);
    } else if (scripted()) {
      glfwWaitEventsTimeout(0.02);
      events_.frames = std::max(events_.frames, 1);
    } else if (ImGui::GetIO().WantTextInput) {
      glfwWaitEventsTimeout(0.25);  // the text cursor blinks
      events_.frames = std::max(events_.frames, 1);
    } else if (tip_due_) {
      glfwWaitEventsTimeout(kTipDelay + 0.05);
      tip_due_ = false;
      events_.frames = std::max(events_.frames, 2);
    } else {
      // An empty event wakes this when a result arrives; the limit is for changes without an event.
      const auto due = session_.due_in_s();
      const double again = again_at_s_ > 0 ? again_at_s_ - glfwGetTime() : 5.0;
      glfwWaitEventsTimeout(std::clamp(std::min(due.value_or(5.0), again), 0.05, 5.0));
      if (due && session_.due_in_s().value_or(1) <= 0) events_.frames = std::max(events_.frames, 1);
    }
    if (again_at_s_ > 0 && glfwGetTime() >= again_at_s_) {
      again_at_s_ = 0;
      events_.uncovered = true;
      events_.frames = std::max(events_.frames, 1);
    }
    // A result does not move the mouse, so its layout is settled after two frames.
    if (events_.mail.exchange(false)) events_.frames = std::max(events_.frames, 2);
    if (events_.frames == kSettle) tip_due_ = true;
  }

  void take_dropped() {
    if (!events_.dropped.empty()) session_.apply(DropFiles{std::exchange(events_.dropped, {})});
  }

  // Drivers compile a program when it is first used, which takes longer than a frame. So all programs draw once before
  // the window is visible, also with a texture of ours, which has another filter. Clearing a part of the window uses
  // another program than clearing all.
  void warm_up() {
    follow_scale();
    const std::uint32_t pixel = 0;
    const Texture texture(*textures_, 1, 1, {&pixel, 1});
    shell_->frames(events_.hands, prepare);
    ImGui::GetForegroundDrawList()->AddImage((ImTextureID)(std::uintptr_t)texture.id(), ImVec2(0, 0), ImVec2(8, 8));
    ImGui::Render();
    ImDrawData& data = *ImGui::GetDrawData();
    for (const PixelBox& box : {whole(data), PixelBox{0, 0, 8, 8}}) paint(data, {box});
    glFinish();  // not swapped: on Wayland a hidden window is never shown
    glfwShowWindow(window_);
  }

  // The scale of the command line applies until another one is set.
  void follow_scale() {
    const double set = session_.state().settings.scale;
    double wanted = options_.scale > 0 && set == set_at_first_ ? options_.scale : set;
    // For a projector, text of size 12 is a thirtieth of the window's height.
    if (session_.state().lecture.projects) {
      int w = 0, h = 0;
      glfwGetWindowSize(window_, &w, &h);
      wanted = std::max(1.0, h / (30.0 * 12));
    }
    const bool resized = std::exchange(events_.resized, false);
    if (resized) again_at_s_ = glfwGetTime() + kAgainAfter_s;
    if (!resized && wanted == wanted_) return;
    wanted_ = wanted;
    shown_for_s_ = shown_for_s();
    const Scale now = scale_of(window_, wanted);
    if (now == scale_) return;
    [[maybe_unused]] const bool first = scale_ == Scale{0, 0};
    scale_ = now;
    shell_->set_scale(now.ui, now.pixel);
#if IMGUI_VERSION_NUM < 19200
    picture_.forget();
    // In all of these versions the backend only makes the first texture of the glyphs itself.
    if (!first) {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();
    }
#endif
  }

  static void prepare() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
  }

  void paint(ImDrawData& data, const std::vector<PixelBox>& parts) {
    const auto [left, top, width, height] = whole(data);
    const Color c = shell_->look().palette->ground;
    glViewport(left, top, width, height);
    glClearColor(c.r / 255.f, c.g / 255.f, c.b / 255.f, 1);
    glEnable(GL_SCISSOR_TEST);
    for (const PixelBox& b : parts) {
      glScissor(b.left, height - b.bottom, b.right - b.left, b.bottom - b.top);
      glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    if (shot_now_) shot(width, height);
  }

  // Mesa learns the window's size when it swaps or paints. The display server ends a program that shows a part outside
  // the window. So parts are only shown if the size has not changed for a while.
  void show(ImDrawData& data, const std::vector<PixelBox>& parts) {
    const PixelBox all = whole(data);
    alike_ = all == shown_ ? alike_ + 1 : 0;
    shown_ = all;
    const bool swapped = !part_shown_ || alike_ < 2;
    const bool partly = !swapped && alike_ > 2;  // swapping leaves nothing to paint onto
    if (partly && !shot_now_) return show_in_bands(data, parts);
    paint(data, {all});
    if (log_) log_->painted();
    if (swapped) return glfwSwapBuffers(window_);
    show_part(all);
  }

  // A picture that takes too long for one frame is shown in several. The rest comes with the next frame, before new
  // changes.
  void show_in_bands(ImDrawData& data, const std::vector<PixelBox>& parts) {
    std::vector<std::vector<PixelBox>> bands = in_bands(parts, kBand);
    const auto first = std::find_if(bands.begin(), bands.end(), [&](const auto& b) { return b[0].top >= next_band_; });
    std::rotate(bands.begin(), first, bands.end());
    next_band_ = 0;
    std::vector<PixelBox> owed;
    for (const std::vector<PixelBox>& band : bands) {
      const bool late = glfwGetTime() > paint_until_s_ && &band != bands.data();
      if (late || !owed.empty()) {
        if (owed.empty()) next_band_ = band[0].top;
        owed.insert(owed.end(), band.begin(), band.end());
        continue;
      }
      {
        const Part part(data, band);
        paint(data, band);
      }
      if (log_) log_->painted();
      if (!show_part(around(band))) return;
    }
    if (owed.empty()) return;
    picture_.owe(std::move(owed));
    events_.frames = std::max(events_.frames, 1);
  }

  bool show_part(const PixelBox& part) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width == shown_.right && height == shown_.bottom) {
      part_shown_->show(part, height);
      return true;
    }
    shown_ = {};
    picture_.forget();
    events_.touch();
    return false;
  }

  void draw() {
    if (log_) log_->begin();
    const double begun_s = glfwGetTime();
    paint_until_s_ = scripted() ? std::numeric_limits<double>::max() : begun_s + kPaintUntil_s;
    follow_scale();
    shell_->frames(events_.hands, prepare);
    ImGui::Render();
    if (log_) log_->built();
    if (std::exchange(events_.uncovered, false) || shot_now_) picture_.forget();
    ImDrawData& data = *ImGui::GetDrawData();
    if (const auto parts = picture_.changes_to(data, ground(), textures_->made()); !parts.empty()) {
      if (!scripted()) next_picture_s_ = begun_s + shown_for_s_;
      show(data, parts);
    }
    if (log_) log_->shown(session_.state().jobs);
  }

  std::uint32_t ground() const {
    const Color c = shell_->look().palette->ground;
    return std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
  }
  // Slightly less than the screen's time per picture, so that none is missed if swapping waits.
  static double shown_for_s() {
    GLFWmonitor* const screen = glfwGetPrimaryMonitor();
    const GLFWvidmode* const mode = screen ? glfwGetVideoMode(screen) : nullptr;
    return 0.9 / (mode && mode->refreshRate > 0 ? mode->refreshRate : 60);
  }

  // One step of a scripted run, when everything before it has settled. Returns false at the end.
  bool step() {
    if (shot_taken_) return false;
    settled_ = session_.idle() ? settled_ + 1 : 0;
    if (settled_ < 6) return true;
    settled_ = 0;
    if (next_ < options_.script.size()) {
      const std::string& id = options_.script[next_++];
      ActionSink out;
      if (!perform(id, session_.state(), out)) {
        std::fprintf(stderr, "warpspy: %s: no such command, or nothing it could act on\n", id.c_str());
        exit_ = 1;
        return false;
      }
      for (const auto& a : out.take()) session_.apply(a);
      session_.next_frame();
      session_.end_step();
      return true;
    }
    if (options_.screenshot.empty()) return false;
    shot_now_ = true;
    events_.touch();
    return true;
  }

  void shot(int width, int height) {
    shot_now_ = false;
    shot_taken_ = true;
    std::vector<std::uint32_t> up(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        pixels(up.size());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, up.data());
    for (int y = 0; y < height; ++y)  // OpenGL counts rows from the bottom
      for (int x = 0; x < width; ++x)
        pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
            up[static_cast<std::size_t>(height - 1 - y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x)] |
            0xFF000000u;
    try {
      plot::write_png(options_.screenshot, width, height, pixels.data());
    } catch (const std::exception& e) {
      std::fprintf(stderr, "warpspy: %s\n", e.what());
      exit_ = 1;
    }
  }

  GLFWwindow* window_;
  const WindowOptions& options_;
  Session& session_;
  Events& events_;
  Gl3Backend backend_;
  std::unique_ptr<TextureStore> textures_;
  std::unique_ptr<PartShown> part_shown_ = find_part_shown();
  std::unique_ptr<Shell> shell_;
  std::optional<FrameLog> log_;
  Picture picture_;
  PixelBox shown_;  // the framebuffer's size when it was last shown, and how often it was the same before
  int alike_ = 0;
  double again_at_s_ = 0;      // when all is drawn once more after a resize; 0: not due
  double next_picture_s_ = 0;  // the earliest time of the next picture, by GLFW's clock
  double paint_until_s_ = 0;   // after this time no further band is painted
  int next_band_ = 0;          // the first row of what is painted first
  double shown_for_s_ = 0, wanted_ = 0;
  Scale scale_{0, 0};
  const double set_at_first_ = session_.state().settings.scale;
  bool tip_due_ = false, shot_now_ = false, shot_taken_ = false;
  int settled_ = 0, exit_ = 0;
  std::size_t next_ = 0;
};

// Before what was made before it.
struct CloseFirst {
  std::unique_ptr<SystemDialog>& dialog;
  ~CloseFirst() { dialog.reset(); }
};

}  // namespace

// A window is no larger than the screen, where no window manager makes it smaller.
std::pair<int, int> size_on_screen(int width, int height) {
  int x = 0, y = 0, screen_width = 0, screen_height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
  return {screen_width > 0 ? std::min(width, screen_width) : width,
          screen_height > 0 ? std::min(height, screen_height) : height};
}

int run_window(const WindowOptions& options, const Catalog& catalog, Engine& engine) {
  Glfw glfw;
  if (!glfw.up) return no_window(Glfw::last().empty() ? "there is no display" : Glfw::last());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.scale > 0 ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // hidden until it is ready to be drawn
  // The name of the .desktop entry, by which the desktop finds the window's icon.
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warpspy");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warpspy");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "warpspy");
#endif
  Events events;  // outlives the window, whose callbacks write to it
  const auto [width, height] = size_on_screen(options.width, options.height);
  const WindowPtr window(glfwCreateWindow(width, height, "Warpspy", nullptr, nullptr));
  if (!window)
    return no_window("OpenGL 3.3 is not available" + (Glfw::last().empty() ? "" : " (" + Glfw::last() + ")") +
                     "; it comes with the system (Debian: libgl1 and libgl1-mesa-dri, or the GPU's driver)");
  glfwMakeContextCurrent(window.get());
  if (epoxy_gl_version() < 33)
    return no_window("OpenGL 3.3 is needed, here is " + std::to_string(epoxy_gl_version() / 10.0).substr(0, 3));
  glfwSwapInterval(1);
  glfwSetWindowSizeLimits(window.get(), 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(window.get(), &events);
  listen(window.get());

  const QuitSignals signals([&events] {
    events.quit = true;
    glfwPostEmptyEvent();
  });
  const ImGuiSession imgui;
  SessionOptions session_options;
  session_options.preferences = options.remember ? preferences_path() : "";
  // A scripted picture must not depend on earlier runs, unless that is requested.
  session_options.history = options.remember || std::getenv("WARPSPY_RUNS") ? history_path() : "";
  const bool scripted = !options.screenshot.empty() || !options.script.empty();
  session_options.desk = options.remember && !scripted ? desk_folder() : "";
  // A session takes the desk's place.
  session_options.fresh = options.fresh || std::any_of(options.sources.begin(), options.sources.end(), is_desk_name);
  session_options.idle_jobs = true;
  session_options.run_on_open = options.run_on_open;
  session_options.version = options.version;
  session_options.collection = collection_place();
  session_options.driver = options.driver, session_options.studies = options.studies;
  session_options.lessons = options.lessons;
  if (!session_options.desk.empty()) session_options.answers = session_options.desk + "/lessons";
  session_options.search = options.search, session_options.best = options.best;
  session_options.engines = options.engines;
  session_options.wake = [&events] {
    events.mail = true;
    glfwPostEmptyEvent();
  };
  session_options.clipboard = [w = window.get()](const std::string& text) { glfwSetClipboardString(w, text.c_str()); };
  std::unique_ptr<SystemDialog> dialog;  // destroyed before the session, which receives its answers
  if (const DialogTool* tool = options.remember ? find_dialog_tool() : nullptr) {
    session_options.system_dialog = tool->id;
    dialog = std::make_unique<SystemDialog>(*tool);
    session_options.ask_files = [&dialog](const std::string& folder, SessionOptions::Answered answered) {
      return dialog->ask({folder, "Open matrices", matrix_patterns()}, [answered = std::move(answered)](FileAnswer a) {
        answered(std::move(a.paths), std::move(a.problem));
      });
    };
  }
  const bool first =
      !scripted && options.sources.empty() && is_first_start(session_options.preferences, session_options.history);
  Session session(catalog, engine, session_options);
  const CloseFirst closing{dialog};
  if (first) session.apply(ShowDialog{"welcome"});
  if (options.theme) session.apply(choose("theme", *options.theme));
  if (!options.sources.empty()) session.apply(OpenSources{options.sources});
  return Loop(window.get(), options, session, events).serve();
}

}  // namespace warpspy::ui
