// Keeps the list of sources that were opened or saved last.
#pragma once

#include <cstddef>
#include <string>

#include "ui/state/state.hpp"

namespace warpspy::ui {

inline constexpr std::size_t kRecent = 12;

// Puts the source in front of the others; it appears only once.
void remember(AppState& s, const std::string& source);

}  // namespace warpspy::ui
