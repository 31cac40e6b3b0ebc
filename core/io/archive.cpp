// Archives of zip and tar through libarchive.
#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"
#include "core/io/io.hpp"
#include "core/io/packed.hpp"
#include "core/io/read_archive.hpp"
#include "core/io/reader.hpp"
#include "core/io/words.hpp"
#include "core/io/zip_end.hpp"

namespace warpspy {
namespace {

std::string message_of(archive* a) {
  const char* text = archive_error_string(a);
  std::string message = text ? text : "unknown error";
  while (message.ends_with('\n')) message.pop_back();  // some of the library's messages end with a newline
  return message;
}

[[noreturn]] void fail(archive* a, const std::string& where) {
  const std::string text = message_of(a);
  if (text.find("runcated") != std::string::npos || text.find("end of file") != std::string::npos)
    throw Error("the compressed data end too early (" + text + ")", where, "the file is cut short: fetch it again");
  throw Error("the compressed data are damaged (" + text + ")", where, "fetch the file again");
}

// An archive that is read member by member, and its input if that is not a file.
class Walk {
 public:
  explicit Walk(std::unique_ptr<Source> packed)  // tar
      : place_(packed->label()), packed_(std::move(packed)), buffer_(std::size_t{256} << 10) {
    archive_read_support_format_tar(a_.get());
    check(archive_read_open(a_.get(), this, nullptr, &Walk::more, nullptr));
  }
  explicit Walk(const std::string& path) : place_(path) {  // zip files have their table of contents at the end
    archive_read_support_format_zip(a_.get());
    archive_read_support_format_empty(a_.get());
    check(archive_read_open_filename(a_.get(), path.c_str(), std::size_t{1} << 20));
    look_at_end(RegularFile(path));
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  const std::string& place() const { return place_; }
  // Moves to the next regular file; false at the end.
  bool next(std::string& name) {
    for (archive_entry* entry = nullptr;;) {
      const int status = archive_read_next_header(a_.get(), &entry);
      if (status == ARCHIVE_EOF) return false;
      if (status == ARCHIVE_RETRY) continue;
      check(status);
      if (archive_entry_filetype(entry) != AE_IFREG) continue;
      if (archive_entry_is_data_encrypted(entry))
        throw Error("the archive is encrypted", place_, "unpack it with its password first");
      const char* text = archive_entry_pathname(entry);
      name = text ? text : "";
      return true;
    }
  }
  // Reads from the current member. Returns fewer than `most` only at its end.
  std::size_t read(char* to, std::size_t most) {
    const auto got = read_member(a_.get(), to, most);
    if (!got) check(ARCHIVE_FATAL);
    return *got;
  }
  void finish(std::uint64_t most) {
    if (packed_) packed_->finish(most);
  }
  std::string remark() const { return packed_ ? packed_->remark() : end_remark_; }
  double fraction() const {
    if (packed_) return packed_->fraction();
    if (file_bytes_ <= 0) return 0;
    return std::min(1.0, static_cast<double>(archive_filter_bytes(a_.get(), -1)) / file_bytes_);
  }

 private:
  // libarchive reads an archive without a directory from the front, and reports no error.
  void look_at_end(const RegularFile& file) {
    file_bytes_ = static_cast<double>(file.bytes());
    std::string end(static_cast<std::size_t>(std::min<std::uint64_t>(file.bytes(), kZipEndBytes)), '\0');
    const auto from = static_cast<off_t>(file.bytes() - end.size());
    const ssize_t n = ::pread(file.descriptor(), end.data(), end.size(), from);
    end_remark_ = zip_end_remark({end.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))}, file.bytes());
  }
  // Called from C: exceptions are stored until the library has returned.
  static la_ssize_t more(archive*, void* self, const void** block) {
    auto& walk = *static_cast<Walk*>(self);
    try {
      *block = walk.buffer_.data();
      return static_cast<la_ssize_t>(walk.packed_->read(walk.buffer_.data(), walk.buffer_.size()));
    } catch (...) {
      walk.thrown_ = std::current_exception();
      return ARCHIVE_FATAL;
    }
  }
  void check(int status) {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (status < ARCHIVE_WARN) fail(a_.get(), place_);
  }

  std::string place_;
  std::unique_ptr<Source> packed_;
  std::vector<char> buffer_;
  double file_bytes_ = 0;
  std::string end_remark_;
  std::exception_ptr thrown_;
  ReadArchive a_{archive_read_new()};
};
using OpenWalk = std::function<std::unique_ptr<Walk>()>;

class Member final : public Source {
 public:
  Member(std::unique_ptr<Walk> walk, const std::string& name)
      : Source(walk->place() + "(" + legible(name) + ")"), walk_(std::move(walk)), name_(name) {}
  std::size_t read(char* to, std::size_t most) override { return walk_->read(to, most); }
  double fraction() const override { return walk_->fraction(); }
  void finish(std::uint64_t most) override {
    skip(most);
    walk_->finish(most);
  }
  std::string name() const override { return name_; }
  std::string remark() const override { return walk_->remark(); }

 private:
  std::unique_ptr<Walk> walk_;
  std::string name_;
};

// In the collection the main matrix has the name of its folder; right-hand sides and coordinates have a suffix (_b,
// _coord).
bool is_main(const std::string& member, const std::string& path) {
  if (!has_matrix_extension(member)) return false;
  const std::string stem = stem_of(member);
  if (stem == stem_of(path)) return true;
  const auto slash = member.find_last_of('/');
  if (slash == std::string::npos) return false;
  const std::string folder = member.substr(0, slash);
  return stem == folder.substr(folder.find_last_of('/') + 1);
}

bool has_matrix_content(Walk& walk, const std::string& name) {
  char head[kHeadBytes];
  return recognise({head, walk.read(head, sizeof head)}, name) != nullptr;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 5); ++i) list += (i ? ", " : "") + legible(names[i]);
  return names.size() > 5 ? list + ", ..." : list;
}

// Opens the archive again, if its only matrix does not have the name of its folder.
std::unique_ptr<Source> reopen_at(const OpenWalk& open, const std::string& member) {
  auto walk = open();
  std::string name;
  while (walk->next(name))
    if (name == member) return std::make_unique<Member>(std::move(walk), name);
  throw Error("the archive changed while it was read", walk->place());
}

std::unique_ptr<Source> main_matrix(const OpenWalk& open) {
  auto walk = open();
  const std::string path = walk->place();
  std::vector<std::string> members, matrices;
  for (std::string name; walk->next(name);) {
    if (is_main(name, path)) return std::make_unique<Member>(std::move(walk), name);
    members.push_back(name);
    if (has_matrix_extension(name) || has_matrix_content(*walk, name)) matrices.push_back(name);
  }
  walk->finish(UINT64_MAX);
  if (matrices.size() == 1) return reopen_at(open, matrices.front());
  if (members.empty()) throw Error("the file is empty once unpacked", path, "expected a matrix file");
  if (matrices.empty())
    throw Error("the archive has no matrix file (it has " + list_of(members) + ")", path,
                "expected " + readable_formats());
  throw Error(
      "the archive has several matrices and none is named like the archive or its folder (" + list_of(matrices) + ")",
      path, "unpack it and open one of them");
}

}  // namespace

// A tar header contains the sum of its own bytes, with blanks in place of the sum. (A block of zeros ends an archive,
// but may be anything.)
bool looks_tar(std::string_view head) {
  constexpr std::size_t block = 512, sum_at = 148, sum_bytes = 8;
  if (head.size() < block || head[0] == '\0') return false;
  long sum = 0, signed_sum = 0, stated = 0;
  for (std::size_t k = 0; k < block; ++k) {
    const char c = k >= sum_at && k < sum_at + sum_bytes ? ' ' : head[k];
    sum += static_cast<unsigned char>(c);
    signed_sum += static_cast<signed char>(c);
  }
  std::size_t k = sum_at;
  while (k < sum_at + sum_bytes && head[k] == ' ') ++k;
  for (; k < sum_at + sum_bytes && head[k] >= '0' && head[k] <= '7'; ++k) stated = stated * 8 + (head[k] - '0');
  return stated > 0 && (stated == sum || stated == signed_sum);
}

bool looks_zip(std::string_view head) {
  using namespace std::string_view_literals;
  return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv);
}

std::unique_ptr<Source> open_tar(const OpenSource& open) {
  return main_matrix([&] { return std::make_unique<Walk>(open()); });
}

std::unique_ptr<Source> open_zip(const std::string& path) {
  return main_matrix([&] { return std::make_unique<Walk>(path); });
}

}  // namespace warpspy
