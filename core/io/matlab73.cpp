#include "core/io/matlab73.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/child.hpp"
#include "core/io/matlab.hpp"
#include "core/io/matlab_columns.hpp"
#include "core/io/matlab_wire.hpp"

namespace warpspy {
namespace {

// The library opens files by name, so a packed file is first unpacked into a temporary file.
class OnDisk {
 public:
  OnDisk(Source& source, std::string_view header, Progress& progress) : path_(source.plain_path()) {
    if (!path_.empty()) return;
    path_ = std::filesystem::temp_directory_path() / "warpspy_XXXXXX";
    const int fd = ::mkstemp(path_.data());
    if (fd < 0) fail(errno, source);
    temporary_ = true;
    try {
      unpack(fd, source, header, progress);
    } catch (...) {
      ::close(fd);
      ::unlink(path_.c_str());
      throw;
    }
    ::close(fd);
  }
  ~OnDisk() {
    if (temporary_) ::unlink(path_.c_str());
  }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;
  const std::string& path() const { return path_; }

 private:
  void unpack(int fd, Source& source, std::string_view header, Progress& progress) const {
    struct statvfs disk = {};
    // A small file may unpack to a very large one, so at most half of the free disk space is used.
    std::uint64_t room = ::fstatvfs(fd, &disk) == 0 ? std::uint64_t{disk.f_bavail} * disk.f_frsize / 2 : UINT64_MAX;
    std::vector<char> part(std::size_t{1} << 20);
    std::size_t n = header.copy(part.data(), part.size());
    for (; n > 0; n = source.read(part.data(), part.size())) {
      progress.check();
      progress.set(source.fraction());
      if (n > room) fail(ENOSPC, source);
      room -= n;
      if (::write(fd, part.data(), n) != static_cast<ssize_t>(n)) fail(errno, source);
    }
  }
  [[noreturn]] void fail(int error, const Source& source) const {
    throw Error("the MATLAB file cannot be unpacked to " + path_ + ": " + std::string(std::strerror(error)),
                source.label(), "make room in the temporary folder, or unpack the file first");
  }
  std::string path_;
  bool temporary_ = false;
};

// Reads the child's answer and checks everything in it.
class Answer {
 public:
  Answer(const std::string& path, const std::string& label, const ReadLimits& limits, Progress& progress)
      : label_(label),
        limits_(limits),
        progress_(progress),
        size_(std::filesystem::file_size(path)),
        child_(reader_program("warpspy-read-matlab", label), path, label, bounds(),
               [this](std::uint64_t bytes) { look(bytes); }) {}

  Coo read(SourceFacts& facts) {
    MatlabAnswer a;
    take(&a, sizeof a);
    require(a.mark == MatlabAnswer::kMark);
    if (a.kind == MatlabAnswerKind::damaged) {
      const std::string why = text(a.entries);
      require(!why.empty());
      refuse_matlab(why, label_);
    }
    if (a.kind == MatlabAnswerKind::outside)
      throw Error("the MATLAB file leads out of itself: " + text(a.entries), label_,
                  "MATLAB saves no such file: do not trust it, and ask for one that holds its own values");
    if (a.kind == MatlabAnswerKind::no_sparse) refuse_no_sparse(text(a.entries), label_);
    require(a.kind == MatlabAnswerKind::matrix);
    require(a.rows <= INT64_MAX && a.cols < UINT32_MAX && a.entries <= UINT32_MAX);
    const auto rows = static_cast<index_t>(a.rows), cols = static_cast<index_t>(a.cols);
    const bool complex = a.flags & MatlabAnswer::kComplex;
    require_memory(rows, cols, static_cast<double>(a.entries), complex, limits_, label_);
    if (a.flags & MatlabAnswer::kOpen)
      facts.warnings.push_back(
          "this kernel cannot close off the program that reads MATLAB 7.3 files; what the file says was "
          "checked all the same");
    const bool logical = a.flags & MatlabAnswer::kLogical;
    facts.field = complex ? "complex" : logical ? "pattern" : "real";
    facts.entries_in_file = static_cast<index_t>(a.entries);
    const bool narrow = Indices::fits32(rows) && Indices::fits32(cols);
    return narrow ? matrix<std::int32_t>(a, complex, logical) : matrix<std::int64_t>(a, complex, logical);
  }

 private:
  // A small file cannot need much time. The child may use half of the memory that sorting the entries will need.
  ChildBounds bounds() const {
    return {.memory = std::max<std::uint64_t>(limits_.memory / 2, std::uint64_t{64} << 20),
            .seconds = 10 + static_cast<double>(size_) / 1e6};
  }

  template <class I>
  Coo matrix(const MatlabAnswer& a, bool complex, bool logical) {
    MatlabColumns<I> columns(static_cast<index_t>(a.rows), static_cast<index_t>(a.cols), a.entries);
    pieces<std::uint32_t>(a.entries, [&](auto piece) { columns.add_rows(piece); });
    pieces<std::uint32_t>(a.cols + 1, [&](auto piece) { columns.add_pointers(piece); });
    columns.end_pointers();
    require_fit(columns.entries() == a.entries, "it has more row indices than entries");
    pieces<double>(a.entries, [&](auto piece) { columns.add_values(piece, logical); });
    if (complex) pieces<double>(a.entries, [&](auto piece) { columns.add_imaginary(piece); });
    return std::move(columns).coo(complex);
  }

  template <class T, class F>
  void pieces(std::uint64_t count, F&& f) {
    std::vector<T> block(std::size_t{1} << 17);
    while (count > 0) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(count, block.size()));
      take(block.data(), n * sizeof(T));
      f(std::span<const T>(block.data(), n));
      count -= n;
    }
  }

  std::string text(std::uint64_t bytes) {
    require(bytes <= kLongestMatlabText);
    std::string t(bytes, '\0');
    take(t.data(), t.size());
    for (char& c : t) c = c < ' ' || c > '~' ? '?' : c;
    return t;
  }

  void require(bool ok) const {
    if (!ok) refuse_matlab("the library that reads MATLAB 7.3 files gave no sensible answer", label_);
  }

  void look(std::uint64_t bytes) const {
    progress_.check();
    progress_.set(std::min(0.99, static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(size_, 1))));
  }

  void take(void* to, std::size_t n) {
    if (child_.read(static_cast<char*>(to), n) < n)
      refuse_matlab("the library that reads MATLAB 7.3 files " + child_.ending(), label_);
  }

  const std::string& label_;
  const ReadLimits& limits_;
  Progress& progress_;
  std::uint64_t size_;
  Child child_;
};

}  // namespace

Coo read_matlab73(Source& source, std::string_view header, const ReadLimits& limits, SourceFacts& facts,
                  Progress& progress) {
  const std::string reading = progress.stage();
  if (source.plain_path().empty()) progress.stage("unpacking");
  const OnDisk file(source, header, progress);
  progress.stage(reading);
  try {
    return Answer(file.path(), source.label(), limits, progress).read(facts);
  } catch (const MatlabMisfit& e) {
    refuse_matlab("the sparse matrix does not fit together: " + e.what, source.label());
  }
}

}  // namespace warpspy
