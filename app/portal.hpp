// Asks the desktop for files through the XDG portal (org.freedesktop.portal.FileChooser). It runs in its own process:
// the portal answers only while the caller is connected to the bus.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// warpspy ask-portal TITLE FOLDER PATTERN...: prints the chosen paths, one per line. Returns 0, or 1 if the user
// cancelled. Returns 2 and prints a line on standard error if there is no portal.
int ask_portal(const std::vector<std::string>& args);

}  // namespace warpspy
