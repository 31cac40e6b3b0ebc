// The desktop's dialog for files by way of the XDG portal (org.freedesktop.portal.FileChooser), in a process of its
// own: the portal answers only while the caller stays on the bus.
#pragma once

#include <string>
#include <vector>

namespace warpspy {

// warpspy ask-portal TITLE FOLDER PATTERN...: prints the chosen paths, one a line. Returns 0; 1 when it was cancelled;
// 2 when there is no portal that can ask, with a line on the standard error output.
int ask_portal(const std::vector<std::string>& args);

}  // namespace warpspy
