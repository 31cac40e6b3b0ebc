// Menus: lists of what can be done with something, by mouse or by keys.
#pragma once

#include <string>

#include "ui/look/look.hpp"
#include "ui/widgets/focus.hpp"

struct ImVec2;

namespace warpspy::ui {

// The menu's items are drawn between these two calls. If the first returns false, the menu is closed, and the second
// must not be called.
bool begin_menu(const Look& l, const char* id);
void end_menu(const Look& l);

struct MenuWords {
  std::string keys = {};  // "Ctrl+O"
  bool checked = false, enabled = true;
  std::string help = {};
};
// True when it was chosen, which closes the menu.
bool menu_item(const Look& l, const std::string& words, const MenuWords& more = {});

// The menu of the last item: a right click there opens it, and so do Menu and Shift+F10 where `keys` are its own.
// `opened` is set in the frame in which that happens.
bool begin_context_menu(const Look& l, const char* id, const Keys& keys, bool* opened = nullptr);
// The parts of the context menu, for code that opens it in its own way.
bool asks_for_menu(const Look& l, const Keys& keys);  // Menu or Shift+F10
void open_context_menu(const char* id, ImVec2 at);
bool begin_opened_menu(const Look& l, const char* id);  // at the place that open_context_menu() was given

}  // namespace warpspy::ui
