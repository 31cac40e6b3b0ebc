#include "ui/spy/tiles.hpp"

#include <algorithm>

namespace warpspy::ui {

namespace {
// Tiles take 512 KiB each (counts and pixels); a 4K view shows about 200.
constexpr std::size_t kKeep = 320;

std::vector<std::uint32_t> pixels_of(const Pyramid& pyramid, const Tile& tile, const TileLook& look) {
  const TileKey& key = tile.key;
  if (look.run.shade) {
    const index_t row = key.ty * kTile << key.kr, col = key.tx * kTile << key.kc;
    const Window window{row, row + (index_t{kTile} << key.kr), col, col + (index_t{kTile} << key.kc)};
    return plot::shade_entries(pyramid.matrix(), *look.run.trace, *look.run.shade, window, kTile, kTile, tile.counts,
                               look.ground, look.run.theme);
  }
  const std::uint32_t most = std::max({1u, pyramid.max_count(key.kr, key.kc), look.most_beside});
  return shade(tile.counts, most, look.style.shading, look.style.map, look.ground, look.dark);
}

// Only a few at a time, since the wanted tiles change with every frame while the user drags.
constexpr std::size_t kInFlight = 3;
}  // namespace

const TileCache::Entry* TileCache::find(MatrixId id, TileKey key, bool beside) {
  const auto it = entries_.find({id, key, beside});
  if (it == entries_.end()) return nullptr;
  it->second.used = frame_;
  return &it->second;
}

std::shared_ptr<const Tile> TileCache::counts(MatrixId id, TileKey key) {
  const auto alone = entries_.find({id, key, false}), beside = entries_.find({id, key, true});
  if (alone != entries_.end()) return alone->second.tile;
  return beside != entries_.end() ? beside->second.tile : nullptr;
}

const TileCache::Entry* TileCache::want(MatrixId id, const std::shared_ptr<const Pyramid>& p, TileKey key,
                                        const TileLook& look, double urgency) {
  const Entry* e = find(id, key, look.beside);
  if (e && e->look == look) return e;
  const Where where{id, key, look.beside};
  if (!in_flight_.contains(where)) wanted_.push_back({urgency, where, p, look, counts(id, key)});
  return e;
}

void TileCache::start(const Want& w) {
  struct Made {
    std::shared_ptr<const Tile> tile;
    std::vector<std::uint32_t> pixels;
  };
  const auto work = [w](Progress&) {
    Made made;
    made.tile = w.counted ? w.counted : std::make_shared<const Tile>(w.pyramid->tile(w.where.key));
    made.pixels = pixels_of(*w.pyramid, *made.tile, w.look);
    return made;
  };
  const std::weak_ptr<int> alive = alive_;
  const auto landed = [this, alive, where = w.where] {
    if (alive.expired()) return false;
    in_flight_.erase(where);
    return true;
  };
  in_flight_[w.where] = workers_.submit(
      JobQueue::tiles, "Tile", work,
      [this, landed, where = w.where, look = w.look](Made made) {
        if (!landed()) return;
        Entry& e = entries_[where];
        e.tile = std::move(made.tile);
        e.texture = Texture(store_, kTile, kTile, made.pixels);
        e.look = look;
        e.used = frame_;
      },
      [landed](const Failure&) { landed(); }, [landed] { landed(); });
}

void TileCache::end_frame() {
  std::sort(wanted_.begin(), wanted_.end(), [](const Want& a, const Want& b) { return a.urgency < b.urgency; });
  for (const auto& w : wanted_) {
    if (in_flight_.size() >= kInFlight) break;
    if (!in_flight_.contains(w.where)) start(w);
  }
  wanted_.clear();
  while (entries_.size() > kKeep) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(),
                                         [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    if (oldest->second.used == frame_) break;  // all remaining tiles are on the screen
    entries_.erase(oldest);
  }
  ++frame_;
}

void TileCache::forget(MatrixId id) {
  std::erase_if(entries_, [&](const auto& e) { return e.first.id == id; });
}

}  // namespace warpspy::ui
