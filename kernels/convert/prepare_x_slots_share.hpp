// The thread blocks of csr_slots each get a share of the entries. Launches count what blocks would read with shares of
// several sizes (kernels/spmv/x_slots_share.hpp); the host counts the same numbers. All sample shares of all sizes are
// laid out as one sequence of tiles.
#pragma once

#include "kernels/convert/conversion.hpp"
#include "kernels/convert/sorted_share.hpp"
#include "kernels/spmv/x_slots_share.hpp"

namespace warpspy::convert {
inline namespace SIMT_TARGET {

// Each tile gets a block. It writes a sort key for each entry, which rises with the sample, and within a sample with
// the column.
template <class Col, class Key>
struct KeysOfSamples {
  ShareSamples samples;
  simt::Array<const Col> columns;
  simt::Array<Key> keys;
  std::int64_t cols;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    const ShareSamples::Size& size = samples.sizes[samples.size_of_tile(t.block)];
    const std::int64_t of_size = (t.block - size.first_tile) / size.tiles, sample = size.first_sample + of_size;
    const std::int64_t in_share = t.block - size.first_tile - of_size * size.tiles;
    const std::int64_t entry = (size.share_of(sample) * size.tiles + in_share) * t.block_size + t.thread;
    simt::st(keys, t.block * t.block_size + t.thread, static_cast<Key>(sample * cols + simt::ld(columns, entry)));
  }
};

// Each sample gets a block. It lists the sample's columns, counts their sectors of x, and writes the sector of each
// entry whose column is not listed.
template <class Key>
struct ListsOfSamples {
  ShareSamples samples;
  Sorted<const std::int32_t, const Key> sorted;
  simt::Array<std::int32_t> lists;  // `room` elements for each sample
  simt::Array<std::int32_t> far;    // in the order of tiles; -1: the column is listed
  simt::Array<std::int32_t> reads;  // sectors, columns and whether all are listed, for each sample
  std::int64_t cols, tile_entries, room, value_bytes;

  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(int, sectors, 1);
    if (t.thread == 0) simt::st(sectors, 0, 0);
    const ShareSamples::Size& size = samples.sizes[samples.size_of_sample(t.block)];
    const std::int64_t begin = (size.first_tile + (t.block - size.first_sample) * size.tiles) * tile_entries;
    const SortedShare<Key> share{sorted.keys, begin, begin + size.tiles * tile_entries};
    const SlotChoice choice = share.choose(t, room);
    const std::int64_t list = t.block * room, key_of_first = t.block * cols;
    share.number(t, choice, [&](std::int64_t k, Key key, int slot, bool begins_column) {
      const std::int64_t column = static_cast<std::int64_t>(key) - key_of_first;
      if (slot >= 0 && begins_column) simt::st(lists, list + slot, static_cast<std::int32_t>(column));
      if (choice.least > 0) simt::st(far, simt::ld(sorted.order, k), slot >= 0 ? -1 : sector_of(column));
    });
    simt::sync_block();
    int own = 0;
    for (int i = t.thread; i < choice.listed; i += walkers) {
      const std::int32_t sector = sector_of(simt::ld(lists, list + i));
      if (i == 0 || sector_of(simt::ld(lists, list + i - 1)) != sector) ++own;
    }
    add_to_first(t, sectors, own);
    simt::sync_block();
    if (t.thread > 0) return;
    simt::st(reads, 3 * t.block, simt::ld(sectors, 0));
    simt::st(reads, 3 * t.block + 1, choice.listed);
    simt::st(reads, 3 * t.block + 2, choice.least > 0 ? 0 : 1);
  }

 private:
  SIMT_DEVICE std::int32_t sector_of(std::int64_t column) const {
    return static_cast<std::int32_t>(column * value_bytes / ShareReads::sector_bytes);
  }
};

// A block for each tile, and a thread for each entry, adds the sectors of columns that are not listed, each once. A
// thread compares its sector with those before it, which lie in shared memory.
struct CountFarSectors {
  ShareSamples samples;
  simt::Array<const std::int32_t> far;
  simt::Array<std::int32_t> reads;
  SIMT_DEVICE void operator()(simt::Thread t) const {
    SIMT_SHARED(std::int32_t, near, threads);
    const ShareSamples::Size& size = samples.sizes[samples.size_of_tile(t.block)];
    const std::int64_t sample = size.first_sample + (t.block - size.first_tile) / size.tiles;
    if (simt::ld(reads, 3 * sample + 2) != 0) return;
    const std::int32_t own = simt::ld(far, t.block * t.block_size + t.thread);
    simt::st(near, t.thread, own);
    simt::sync_block();
    constexpr int at_once = 4;
    bool first = own >= 0;
    int i = 0;
    for (; first && i + at_once <= t.thread; i += at_once) {
      const auto before = simt::ld_pack<at_once>(near, i);
      SIMT_UNROLL
      for (int j = 0; j < at_once; ++j)
        if (before.v[j] == own) first = false;
    }
    for (; first && i < t.thread; ++i) first = simt::ld(near, i) != own;
    const int count = simt::count_bits(simt::ballot(first));
    if (t.thread % simt::warp_size == 0 && count > 0) simt::atomic_add(reads, 3 * sample, count);
  }
};

}  // namespace SIMT_TARGET

// Returns what the samples read. `foreseen` counts it on the host, for an emulator in which no launch has run yet.
template <class Key, class Stage, class Col, class Of, class Foreseen>
std::vector<ShareReads> lay_out_share_reads_by(Stage& stage, const simt::Array<const Col>& columns, const Of& of,
                                               const ShareSamples& samples, const Foreseen& foreseen) {
  const index_t entries = samples.tiles * of.tile;
  const LaunchSpec each_tile{.grid = samples.tiles, .block = static_cast<int>(of.tile)};
  const auto keys = stage.template scratch<Key>("keys", entries);
  const auto lists = stage.template scratch<std::int32_t>("lists", samples.samples * of.room);
  const auto far = stage.template scratch<std::int32_t>("far", entries);
  const auto counted = stage.template out<std::int32_t>("reads", 3 * samples.samples);
  stage.launch(each_tile, KeysOfSamples<Col, Key>{samples, columns, keys, of.cols});
  const auto sorted = stage.template sorted<std::int32_t>(as_const(keys), samples.samples * of.cols);
  stage.launch({.grid = samples.samples, .block = walkers},
               ListsOfSamples<Key>{samples,
                                   {as_const(sorted.order), as_const(sorted.keys)},
                                   lists,
                                   far,
                                   counted,
                                   of.cols,
                                   of.tile,
                                   of.room,
                                   of.value_bytes});
  stage.launch(each_tile, CountFarSectors{samples, as_const(far), counted});
  const std::vector<index_t> numbers = stage.counted_all(counted, [&] {
    std::vector<index_t> host;
    for (const ShareReads& r : foreseen()) host.insert(host.end(), {r.sectors, r.listed, r.all_fit ? 1 : 0});
    return host;
  });
  std::vector<ShareReads> reads;
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    reads.push_back({numbers[k], numbers[k + 1], numbers[k + 2] != 0});
  return reads;
}

// As for slots, keys of 32 bits where they have room. Tiles have at most `threads` entries.
template <class Stage, class Col, class Of, class Foreseen>
std::vector<ShareReads> lay_out_share_reads(Stage& stage, const simt::Array<const Col>& columns, const Of& of,
                                            const ShareSamples& samples, const Foreseen& foreseen) {
  if (samples.samples * of.cols > index_t{UINT32_MAX})
    return lay_out_share_reads_by<std::uint64_t>(stage, columns, of, samples, foreseen);
  return lay_out_share_reads_by<std::uint32_t>(stage, columns, of, samples, foreseen);
}

// A conversion for tests: it runs only these counts, from a CSR.
struct ToXSlotsShare {
  static constexpr const char* format = "x_slots_share";
  static constexpr bool sorts = true;
  struct Params {
    int tile = 32, blocks = 2, room = 64;
    bool operator==(const Params&) const = default;
  };
  static Fields<Params> fields() {
    return {{&Params::tile,
             {.id = "tile", .label = {}, .help = {}, .type = ParamSpec::Type::power_of_two, .min = 32, .max = 256}},
            {&Params::blocks,
             {.id = "blocks", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 40}},
            {&Params::room,
             {.id = "room", .label = {}, .help = {}, .type = ParamSpec::Type::integer, .min = 1, .max = 65536}}};
  }
  template <class Col>
  static XSlotsShareOf<Col> of(const CsrFormat& a, std::span<const Col> columns, const Params& p) {
    return {columns, a.cols(), p.tile, p.blocks, p.room, bytes_of(a.precision())};
  }
  static std::vector<MadeArray> on_host(const CsrFormat& a, const Params& p) {
    std::vector<std::int32_t> all;
    a.columns().visit([&]<class Col>(std::span<const Col> columns) {
      const auto share = of(a, columns, p);
      if (share.samples().count == 1) return;
      for (const ShareReads& r : share.reads(share.samples()))
        all.insert(all.end(),
                   {static_cast<std::int32_t>(r.sectors), static_cast<std::int32_t>(r.listed), r.all_fit ? 1 : 0});
    });
    return {made_array("reads", all)};
  }
  template <class Stage, class T = typename Stage::Value>
  static void lay_out(const CsrFormat& a, const FormatFacts&, const Params& p, Stage& stage) {
    a.columns().visit([&]<class Host>(std::span<const Host> columns) {
      const auto share = of(a, columns, p);
      const ShareSamples samples = share.samples();
      if (samples.count == 1) return;
      stage.typed(a, [&]<class Ptr, class Col>(const TypedArrays<T, Ptr, Col>& csr) {
        lay_out_share_reads(stage, csr.columns, share, samples, [&] { return share.reads(samples); });
      });
    });
  }
};

}  // namespace warpspy::convert
