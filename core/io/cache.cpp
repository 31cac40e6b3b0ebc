#include "core/io/cache.hpp"

#include <sys/stat.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/cache_folder.hpp"
#include "core/io/checksum.hpp"
#include "core/matrix/memory_guard.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

// The layout of a file: the struct Fixed, the facts as JSON, and the check sums of all blocks. Then the arrays, each at
// the start of a page: row pointers, columns, values, imaginary parts. Numbers are in the machine's byte order, which
// kCacheMagic shows. Whoever changes this layout, or what a reader makes of a file, must change the version.
constexpr std::uint64_t kCacheMagic = 0x5741525053505931;  // "WARPSPY1", read as a number
constexpr std::uint32_t kVersion = 2;
constexpr std::size_t kPage = 4096, kBlock = std::size_t{1} << 20;

struct Fixed {
  std::uint64_t magic = kCacheMagic;
  std::uint32_t version = kVersion, index_bytes = 0;
  std::uint64_t file_bytes = 0, facts_bytes = 0;
  std::int64_t rows = 0, cols = 0, entries = 0, imaginary = 0;  // imaginary: entries, or 0
  std::uint64_t header_sum = 0;                                 // sum of the header, facts and check sums; counts as 0
};

std::size_t round_up(std::size_t n) { return (n + kPage - 1) / kPage * kPage; }

// The positions of the arrays, computed from their sizes.
struct Layout {
  std::array<std::size_t, 4> bytes{}, at{};
  std::size_t blocks = 0, file_bytes = 0;
  std::size_t sums_at = 0;

  explicit Layout(const Fixed& f) {
    const auto entries = static_cast<std::size_t>(f.entries);
    bytes = {(static_cast<std::size_t>(f.rows) + 1) * 8, entries * f.index_bytes, entries * 8,
             static_cast<std::size_t>(f.imaginary) * 8};
    for (const auto b : bytes) blocks += (b + kBlock - 1) / kBlock;
    sums_at = sizeof(Fixed) + f.facts_bytes;
    std::size_t end = sums_at + blocks * 8;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      at[k] = round_up(end);
      end = at[k] + bytes[k];
    }
    file_bytes = end;
  }
  // Calls f(array, offset in the array, bytes) for block b of all blocks.
  template <class F>
  auto with_block(std::size_t b, F&& f) const {
    std::size_t k = 0;
    while (b >= (bytes[k] + kBlock - 1) / kBlock) b -= (bytes[k++] + kBlock - 1) / kBlock;
    return f(k, b * kBlock, std::min(kBlock, bytes[k] - b * kBlock));
  }
};

bool read_exactly(int fd, void* to, std::size_t bytes, std::size_t at) {
  auto* p = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t n = ::pread(fd, p, bytes, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n, at += static_cast<std::size_t>(n), bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_exactly(int fd, const void* from, std::size_t bytes, std::size_t at) {
  const auto* p = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t n = ::pwrite(fd, p, bytes, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n, at += static_cast<std::size_t>(n), bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

using Json = nlohmann::json;

std::string facts_text(const CacheKey& key, const SourceFacts& s) {
  const Json j = {{"path", key.path},           {"size", key.size},       {"inode", key.inode},
                  {"modified", key.modified},   {"changed", key.changed}, {"name", s.name},
                  {"field", s.field},           {"symmetry", s.symmetry}, {"entries_in_file", s.entries_in_file},
                  {"duplicates", s.duplicates}, {"warnings", s.warnings}};
  return json_text(j, -1);
}

std::optional<SourceFacts> facts_from(const std::string& text, const CacheKey& key) {
  const Json j = Json::parse(text, nullptr, false);
  if (j.is_discarded() || nested_deeply(text)) return {};
  try {
    const CacheKey stored{j.at("path"), j.at("size"), j.at("inode"), j.at("modified"), j.at("changed"), true};
    if (!stored.same_file(key)) return {};
    return SourceFacts{j.at("name"),       key.path,        j.at("field"), j.at("symmetry"), j.at("entries_in_file"),
                       j.at("duplicates"), j.at("warnings")};
  } catch (const Json::exception&) {
    return {};
  }
}

// The check sum of everything but the arrays; its own place counts as 0.
std::uint64_t sum_of_header(std::string& header) {
  constexpr std::size_t at = offsetof(Fixed, header_sum);
  const std::uint64_t zero = 0;
  std::memcpy(header.data() + at, &zero, 8);
  return checksum(header.data(), header.size());
}

// The header, facts and sums of a copy that belongs to this file.
struct Opened {
  Fixed fixed;
  SourceFacts facts;
  std::vector<std::uint64_t> sums;
};

std::optional<Opened> open_copy(int fd, const CacheKey& key) {
  Opened o;
  struct stat info = {};
  if (::fstat(fd, &info) != 0 || !read_exactly(fd, &o.fixed, sizeof o.fixed, 0)) return {};
  const Fixed& f = o.fixed;
  const auto file_bytes = static_cast<std::uint64_t>(info.st_size);
  const auto within = [&](std::int64_t n) { return n >= 0 && static_cast<std::uint64_t>(n) <= file_bytes; };
  if (f.magic != kCacheMagic || f.version != kVersion || f.file_bytes != file_bytes) return {};
  const bool narrow = f.index_bytes == 4 && Indices::fits32(f.cols);
  if ((!narrow && f.index_bytes != 8) || f.cols < 0 || f.facts_bytes > file_bytes) return {};
  if (!within(f.rows) || !within(f.entries) || (f.imaginary != 0 && f.imaginary != f.entries)) return {};
  const Layout layout(f);
  if (layout.file_bytes != file_bytes) return {};
  std::string header(layout.sums_at + layout.blocks * 8, '\0');
  if (!read_exactly(fd, header.data(), header.size(), 0) || sum_of_header(header) != f.header_sum) return {};
  auto facts = facts_from(header.substr(sizeof(Fixed), f.facts_bytes), key);
  if (!facts) return {};
  o.facts = std::move(*facts);
  o.sums.resize(layout.blocks);
  if (layout.blocks > 0) std::memcpy(o.sums.data(), header.data() + layout.sums_at, layout.blocks * 8);
  return o;
}

template <class I>
std::optional<Csr> read_arrays(int fd, const Opened& o, Progress& progress) {
  const Fixed& f = o.fixed;
  const Layout layout(f);
  MemoryReservation reservation;
  try {
    reservation.raise(static_cast<double>(layout.file_bytes), "the copy");
  } catch (const Error&) {
    return {};  // reading the file will report what is missing
  }
  auto ptr = zeroed<index_t>(static_cast<std::size_t>(f.rows) + 1);
  auto columns = zeroed<I>(static_cast<std::size_t>(f.entries));
  auto re = zeroed<double>(static_cast<std::size_t>(f.entries));
  auto im = zeroed<double>(static_cast<std::size_t>(f.imaginary));
  const std::array<void*, 4> to = {ptr.data(), columns.data(), re.data(), im.data()};
  std::atomic<bool> whole{true};
  tbb::parallel_for(std::size_t{0}, layout.blocks, [&](std::size_t b) {
    progress.check();
    layout.with_block(b, [&](std::size_t k, std::size_t at, std::size_t bytes) {
      char* p = static_cast<char*>(to[k]) + at;
      if (!read_exactly(fd, p, bytes, layout.at[k] + at) || checksum(p, bytes) != o.sums[b]) whole = false;
    });
  });
  if (!whole) return {};
  try {
    return Csr(f.rows, f.cols, std::move(ptr), Indices(std::move(columns)), std::move(re), std::move(im));
  } catch (const Error&) {
    return {};  // its check sum is right, but its content was never valid
  }
}

std::optional<RegularFile> kept_copy(const std::string& path) {
  try {
    return RegularFile::if_there(copy_path(path));
  } catch (const Error&) {
    return std::nullopt;  // the file is no copy
  }
}

}  // namespace

std::optional<Matrix> load_cache(const CacheKey& key, Progress& progress) {
  const auto copy = kept_copy(key.path);
  if (!copy) return {};
  const int fd = copy->descriptor();
  auto opened = open_copy(fd, key);
  if (!opened) return {};
  progress.stage("loading " + opened->facts.name);
  try {
    auto csr = opened->fixed.index_bytes == 4 ? read_arrays<std::int32_t>(fd, *opened, progress)
                                              : read_arrays<std::int64_t>(fd, *opened, progress);
    if (!csr) return {};
    ::futimens(fd, nullptr);  // marks the copy as just used, so that it is deleted late
    progress.set(1);
    return Matrix{std::make_shared<const Csr>(std::move(*csr)), std::move(opened->facts)};
  } catch (const std::bad_alloc&) {
    return {};  // reading the file will report what is missing
  }
}

void save_cache(const CacheKey& key, const Matrix& m, Progress& progress) {
  const Csr& a = *m.csr;
  progress.stage("keeping a copy of " + m.source.name);
  const std::string facts = facts_text(key, m.source);
  Fixed f;
  f.index_bytes = a.columns().is32() ? 4 : 8;
  f.facts_bytes = facts.size();
  f.rows = a.rows();
  f.cols = a.cols();
  f.entries = a.nnz();
  f.imaginary = static_cast<std::int64_t>(a.imag().size());
  const Layout layout(f);
  f.file_bytes = layout.file_bytes;

  NewCopy copy(key.path, layout.file_bytes);  // makes room
  const void* columns = a.columns().visit([](auto span) -> const void* { return span.data(); });
  const std::array<const void*, 4> from = {a.row_ptr().data(), columns, a.values().data(), a.imag().data()};
  std::vector<std::uint64_t> sums(layout.blocks);
  std::atomic<int> failed{0};
  tbb::parallel_for(std::size_t{0}, layout.blocks, [&](std::size_t b) {
    progress.check();
    layout.with_block(b, [&](std::size_t k, std::size_t at, std::size_t bytes) {
      const char* p = static_cast<const char*>(from[k]) + at;
      sums[b] = checksum(p, bytes);
      if (!failed && !write_exactly(copy.fd(), p, bytes, layout.at[k] + at)) failed = errno ? errno : EIO;
    });
  });
  std::string header(layout.sums_at + layout.blocks * 8, '\0');
  std::memcpy(header.data(), &f, sizeof f);
  std::memcpy(header.data() + sizeof f, facts.data(), facts.size());
  if (layout.blocks > 0) std::memcpy(header.data() + layout.sums_at, sums.data(), layout.blocks * 8);
  f.header_sum = sum_of_header(header);
  std::memcpy(header.data(), &f, sizeof f);
  if (!failed && !write_exactly(copy.fd(), header.data(), header.size(), 0)) failed = errno ? errno : EIO;
  if (failed) throw Error("the copy cannot be written: " + std::string(std::strerror(failed)), cache_folder());
  copy.commit(layout.file_bytes);
  progress.set(1);
}

}  // namespace warpspy
