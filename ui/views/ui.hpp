// Everything that a view needs to draw, and the sink for its actions.
#pragma once

#include <optional>
#include <span>

#include "core/raster/raster.hpp"
#include "ui/look/look.hpp"
#include "ui/state/actions.hpp"
#include "ui/state/command.hpp"

namespace warpspy::ui {

class TileCache;
class ImageCache;

// Handed to every view in draw().
struct Ui {
  const Look& look;
  ActionSink& out;
  TileCache& tiles;
  ImageCache& images;
  std::optional<Window>& spy_window;  // the part that the spy plot showed last
  std::span<const Command> commands;  // all commands
  bool& takes_keys;                   // a view waits for a chord: while it is true, keys perform no commands
};

}  // namespace warpspy::ui
