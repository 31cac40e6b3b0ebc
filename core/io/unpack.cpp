// Compressed files. gzip is read through zlib, which verifies the check sum and length of every member. bzip2, xz and
// zstd are read through libarchive, whose own gzip reader does not verify.
#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "core/base/types.hpp"
#include "core/io/packed.hpp"
#include "core/io/read_archive.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kPiece = std::size_t{256} << 10;

[[noreturn]] void cut_short(const std::string& text, const std::string& where) {
  throw Error("the compressed data end too early (" + text + ")", where, "the file is cut short: fetch it again");
}
[[noreturn]] void damaged(const std::string& text, const std::string& where) {
  throw Error("the compressed data are damaged (" + text + ")", where, "fetch the file again");
}

// RFC 1952: any number of members, one after another. Zeros after the last one are padding, as gzip accepts them (from
// tapes).
class Gzip final : public Source {
 public:
  explicit Gzip(std::unique_ptr<Source> packed) : Source(packed->label()), packed_(std::move(packed)), buffer_(kPiece) {
    constexpr int with_gzip_header = 15 + 16;
    if (inflateInit2(&z_, with_gzip_header) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&z_); }

  std::size_t read(char* to, std::size_t most) override {
    std::size_t got = 0;
    while (got < most && !ended_) {
      if (z_.avail_in == 0) fill();
      if (!within_member_ && !next_member()) break;
      const auto room = static_cast<uInt>(std::min<std::size_t>(most - got, std::size_t{1} << 30));
      z_.next_out = reinterpret_cast<Bytef*>(to + got);
      z_.avail_out = room;
      const int status = inflate(&z_, Z_NO_FLUSH);
      got += room - z_.avail_out;
      if (status == Z_STREAM_END) {
        within_member_ = false;
        continue;
      }
      if (status == Z_BUF_ERROR && z_.avail_in == 0) {
        fill();
        if (z_.avail_in == 0) cut_short("member " + std::to_string(members_) + " of gzip", label_);
        continue;
      }
      if (status != Z_OK) damaged("gzip: " + std::string(z_.msg ? z_.msg : "unknown error"), label_);
    }
    return got;
  }
  double fraction() const override { return packed_->fraction(); }
  void finish(std::uint64_t most) override { skip(most); }
  std::string name() const override { return packed_->name(); }

 private:
  void fill() {
    z_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    z_.avail_in = static_cast<uInt>(packed_->read(buffer_.data(), buffer_.size()));
  }
  bool next_member() {
    if (members_ > 0) {
      while (skip_zeros() == 0 && z_.avail_in == 0) {
        fill();
        if (z_.avail_in == 0) return !(ended_ = true);
      }
      if (zeros_ > 0 || *z_.next_in != 0x1f)
        damaged("there are other bytes behind the " + std::to_string(members_) + " members of gzip", label_);
      inflateReset(&z_);
    }
    ++members_;
    return within_member_ = true;
  }
  // The first byte that is not zero, or 0 at the end of the buffer.
  int skip_zeros() {
    while (z_.avail_in > 0 && *z_.next_in == 0) ++z_.next_in, --z_.avail_in, ++zeros_;
    return z_.avail_in > 0 ? *z_.next_in : 0;
  }

  std::unique_ptr<Source> packed_;
  std::vector<char> buffer_;
  z_stream z_ = {};
  bool within_member_ = false, ended_ = false;
  std::uint64_t members_ = 0, zeros_ = 0;
};

class Filtered final : public Source {
 public:
  Filtered(std::unique_ptr<Source> packed, int (*support)(archive*))
      : Source(packed->label()), packed_(std::move(packed)), buffer_(kPiece), archive_(archive_read_new()) {
    support(archive_.get());
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    check(archive_read_open(archive_.get(), this, nullptr, &Filtered::more, nullptr));
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_.get(), &entry);
    ended_ = status == ARCHIVE_EOF;
    if (!ended_) check(status);
  }
  std::size_t read(char* to, std::size_t most) override {
    std::size_t got = 0;
    while (got < most && !ended_) {
      const la_ssize_t n = archive_read_data(archive_.get(), to + got, most - got);
      if (n == ARCHIVE_RETRY) continue;
      if (n < 0) check(ARCHIVE_FATAL);
      ended_ = n == 0;
      got += static_cast<std::size_t>(n);
    }
    if (ended_) refuse_leftovers();
    return got;
  }
  double fraction() const override { return packed_->fraction(); }
  void finish(std::uint64_t most) override { skip(most); }
  std::string name() const override { return packed_->name(); }

 private:
  // Called from C: exceptions are stored until the library has returned.
  static la_ssize_t more(archive*, void* self, const void** block) {
    auto& f = *static_cast<Filtered*>(self);
    try {
      *block = f.buffer_.data();
      const std::size_t n = f.packed_->read(f.buffer_.data(), f.buffer_.size());
      f.given_ += n;
      return static_cast<la_ssize_t>(n);
    } catch (...) {
      f.thrown_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }
  void check(int status) {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (status >= ARCHIVE_WARN) return;
    const char* error = archive_error_string(archive_.get());
    const std::string text = error ? error : "unknown error";
    if (text.find("runcated") != std::string::npos || text.find("end of file") != std::string::npos)
      cut_short(text, label_);
    damaged(text, label_);
  }
  // libarchive stops at data that is no further stream, and reports nothing.
  void refuse_leftovers() {
    const auto used = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(archive_.get(), -1), 0));
    char more = 0;
    if (used == given_ && packed_->read(&more, 1) == 0) return;
    damaged("there are other bytes behind them", label_);
  }

  std::unique_ptr<Source> packed_;
  std::vector<char> buffer_;
  std::uint64_t given_ = 0;
  std::exception_ptr thrown_;
  bool ended_ = false;
  ReadArchive archive_;
};

std::unique_ptr<Source> gzip(std::unique_ptr<Source> s) { return std::make_unique<Gzip>(std::move(s)); }
template <int (*kSupport)(archive*)>
std::unique_ptr<Source> filtered(std::unique_ptr<Source> s) {
  return std::make_unique<Filtered>(std::move(s), kSupport);
}

// Header bits that announce check sums: the descriptor of a zstd frame (RFC 8878, 3.1.1.1.1), the stream flags of xz
// (.xz file format, 2.1.1.2). gzip and bzip2 always have check sums.
bool always(std::string_view) { return true; }
bool zstd_has_sum(std::string_view head) { return head.size() > 4 && (head[4] & 4) != 0; }
bool xz_has_sum(std::string_view head) { return head.size() > 7 && (head[7] & 15) != 0; }

// The memory that a library needs: below 1 MB for gzip and bzip2, at most 128 MiB for zstd. For xz it is up to 4 GiB,
// as the header of the first block states (.xz file format, 3.1 and 5.3.1; 0 if it does not: the library refuses that).
std::uint64_t little(std::string_view) { return 0; }
std::uint64_t xz_dictionary(std::string_view head) {
  std::size_t at = 13;
  const auto byte = [&] { return at < head.size() ? static_cast<unsigned char>(head[at++]) : 0u; };
  const auto number = [&] {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const unsigned b = byte();
      n |= std::uint64_t{b & 127} << shift;
      if (b < 128) break;
    }
    return n;
  };
  const unsigned flags = byte();
  for (const unsigned size : {0x40u, 0x80u})
    if (flags & size) number();
  for (unsigned filter = 0; filter <= (flags & 3); ++filter) {
    const bool lzma2 = number() == 0x21;
    const std::uint64_t bytes = number();
    if (lzma2) {
      const unsigned bits = byte() & 63;
      return bits < 40 ? std::uint64_t{2 | (bits & 1)} << (bits / 2 + 11) : 0xffffffffu;
    }
    at += static_cast<std::size_t>(std::min<std::uint64_t>(bytes, head.size()));
  }
  return 0;
}

struct Packing {
  std::string_view magic;
  std::unique_ptr<Source> (*open)(std::unique_ptr<Source> packed);
  bool (*has_sum)(std::string_view head);
  std::uint64_t (*kept)(std::string_view head);  // bytes
};
constexpr Packing kPackings[] = {
    {"\x1f\x8b"sv, gzip, always, little},
    {"BZh"sv, filtered<archive_read_support_filter_bzip2>, always, little},
    {"\xfd\x37zXZ"sv, filtered<archive_read_support_filter_xz>, xz_has_sum, xz_dictionary},
    {"\x28\xb5\x2f\xfd"sv, filtered<archive_read_support_filter_zstd>, zstd_has_sum, little}};

// A source with a remark about its check sum.
class Doubted final : public Source {
 public:
  explicit Doubted(std::unique_ptr<Source> source) : Source(source->label()), source_(std::move(source)) {}
  std::size_t read(char* to, std::size_t most) override { return source_->read(to, most); }
  double fraction() const override { return source_->fraction(); }
  void finish(std::uint64_t most) override { source_->finish(most); }
  std::string name() const override { return source_->name(); }
  std::string remark() const override {
    return "The compressed file carries no check sum: damage on its way here would not be noticed.";
  }

 private:
  std::unique_ptr<Source> source_;
};

// Servers pack once more what is packed already.
constexpr int kMostLayers = 3;

}  // namespace

std::unique_ptr<Peeked> unpacked(std::unique_ptr<Peeked> source) {
  for (int layer = 0; layer < kMostLayers; ++layer) {
    const auto packing = std::find_if(std::begin(kPackings), std::end(kPackings),
                                      [&](const Packing& p) { return source->head().starts_with(p.magic); });
    if (packing == std::end(kPackings)) break;
    const bool has_sum = packing->has_sum(source->head());
    require_memory(static_cast<double>(packing->kept(source->head())), "unpacking " + source->label(),
                   "unpack it elsewhere, and pack it with a smaller dictionary");
    auto inner = packing->open(std::move(source));
    if (!has_sum) inner = std::make_unique<Doubted>(std::move(inner));
    source = std::make_unique<Peeked>(std::move(inner), kHeadBytes);
    if (source->head().empty())
      throw Error("the file is empty once unpacked", source->label(), "expected a matrix file");
  }
  return source;
}

}  // namespace warpspy
