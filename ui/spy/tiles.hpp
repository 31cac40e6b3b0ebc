// The spy plot is drawn in tiles, which are textures on the graphics card. Jobs count the entries of tiles and colour
// them. Tiles are kept while they are used.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/jobs/jobs.hpp"
#include "core/plot/figures.hpp"
#include "core/plot/pattern_shades.hpp"
#include "core/raster/raster.hpp"
#include "ui/platform/textures.hpp"
#include "ui/state/state.hpp"

namespace warpspy::ui {

// Data of a run that the pattern shows in place of counts; without a shade it shows counts.
struct ShadeLook {
  const plot::PatternShade* shade = nullptr;
  std::shared_ptr<const EntryTrace> trace;
  plot::Theme theme;
  bool operator==(const ShadeLook& o) const { return shade == o.shade && trace == o.trace; }
};

// Tells how counts become pixels. Two tiles of different looks are different pictures of the same counts.
struct TileLook {
  plot::SpyStyle style;
  std::uint32_t ground = 0;
  bool dark = false;
  ShadeLook run = {};
  bool beside = false;            // the picture stands in a comparison of two matrices, where it shows counts
  std::uint32_t most_beside = 0;  // the largest count of the other matrix: both share one scale of colours
  bool operator==(const TileLook& o) const {
    return style.shading == o.style.shading && style.map == o.style.map && ground == o.ground && dark == o.dark &&
           run == o.run && beside == o.beside && most_beside == o.most_beside;
  }
};

class TileCache {
 public:
  TileCache(TextureStore& store, Workers& workers) : store_(store), workers_(workers) {}

  struct Entry {
    std::shared_ptr<const Tile> tile;
    Texture texture;
    TileLook look;
    std::uint64_t used = 0;  // frame
  };
  // Returns the tile of a comparison (beside) or of the pattern alone, if it exists, in any look. A matrix may be shown
  // in both ways at once: with one tile for both, each would be made again in every frame.
  const Entry* find(MatrixId id, TileKey key, bool beside);
  // Returns the tile as find() does, and requests it if it is missing or has another look. The lowest `urgency` comes
  // first.
  const Entry* want(MatrixId id, const std::shared_ptr<const Pyramid>& p, TileKey key, const TileLook& look,
                    double urgency);
  // Returns the counts of a tile that exists in either way, or nullptr.
  std::shared_ptr<const Tile> counts(MatrixId id, TileKey key);
  // Starts the most urgent wanted tiles, and frees tiles that were used longest ago.
  void end_frame();
  void forget(MatrixId id);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Where {
    MatrixId id;
    TileKey key;
    bool beside;
    auto operator<=>(const Where&) const = default;
  };
  struct Want {
    double urgency;
    Where where;
    std::shared_ptr<const Pyramid> pyramid;
    TileLook look;
    std::shared_ptr<const Tile> counted;
  };
  void start(const Want& w);

  TextureStore& store_;
  Workers& workers_;
  std::map<Where, Entry> entries_;
  std::vector<Want> wanted_;
  std::map<Where, JobPtr> in_flight_;
  std::uint64_t frame_ = 1;
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);  // by this, results that arrive after the destructor know
                                                           // that it has run
};

}  // namespace warpspy::ui
