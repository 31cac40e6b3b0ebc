// Copies of matrices: as they come, and once more with check sums that are right, for what stands behind those.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/generate/generate.hpp"
#include "core/io/cache.hpp"
#include "core/io/cache_folder.hpp"
#include "core/io/checksum.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

const CacheKey& key() {
  static const CacheKey one = [] {
    ::setenv("XDG_CACHE_HOME", folder().c_str(), 1);
    return CacheKey{"/matrix.mtx", 3000000, 1, 1, 1, true};
  }();
  return one;
}

// The layout of core/io/cache.cpp: fixed part, facts, sums of the blocks, arrays from a whole page on.
constexpr std::size_t kFixed = 72, kSumAt = 64, kPage = 4096, kBlock = std::size_t{1} << 20;

std::uint64_t number_at(const std::string& s, std::size_t at, std::size_t width = 8) {
  std::uint64_t n = 0;
  std::memcpy(&n, s.data() + at, width);
  return n;
}

void put_sum(std::string& s, std::size_t at, std::uint64_t sum) { std::memcpy(s.data() + at, &sum, 8); }

std::string with_sums(std::string s) {
  if (s.size() < kFixed) return s;
  const std::uint64_t index = number_at(s, 12, 4), facts = number_at(s, 24), rows = number_at(s, 32),
                      entries = number_at(s, 48), imaginary = number_at(s, 56);
  if (std::max({index, facts, rows, entries, imaginary}) > s.size()) return s;
  const std::uint64_t bytes[] = {(rows + 1) * 8, entries * index, entries * 8, imaginary * 8};
  std::size_t blocks = 0;
  for (const std::uint64_t b : bytes) blocks += (b + kBlock - 1) / kBlock;
  std::size_t sum_at = kFixed + facts, at = sum_at + blocks * 8;
  const std::size_t header = at;
  for (const std::uint64_t b : bytes) {
    at = (at + kPage - 1) / kPage * kPage;
    if (at > s.size() || b > s.size() - at) return s;
    for (std::size_t from = 0; from < b; from += kBlock, sum_at += 8)
      put_sum(s, sum_at, checksum(s.data() + at + from, std::min<std::size_t>(kBlock, b - from)));
    at += b;
  }
  put_sum(s, kSumAt, 0);
  put_sum(s, kSumAt, checksum(s.data(), header));
  return s;
}

void load(Bytes bytes) {
  write_file(copy_path(key().path), bytes);
  Progress progress;
  std::optional<Matrix> m;
  {
    const MemoryGuard guard;
    m = load_cache(key(), progress);
  }
  if (m) check_matrix(*m);
}

void run(Bytes bytes) {
  if (bytes.empty()) return;
  load(bytes);
  load(with_sums(std::string(bytes)));
}

Words seeds() {
  Words all;
  for (const char* spec : {"arrow?n=5", "empty?rows=0&cols=3", "random?rows=20&cols=30&per_row=4"}) {
    Progress progress;
    save_cache(key(), generate(spec, progress), progress);
    all.push_back(contents(copy_path(key().path)));
  }
  return all;
}

}  // namespace

Target cache_target() {
  return {.name = "cache",
          .run = run,
          .mutate = [](const std::string& bytes, Random& r) { return mutate_binary(bytes, r); },
          .seeds = seeds};
}

}  // namespace warpspy::fuzz
