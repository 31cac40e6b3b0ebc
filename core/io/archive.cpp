// Compressed files, zip and tar archives, through libarchive.
#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/io/source.hpp"
#include "core/matrix/types.hpp"

namespace warpspy {
namespace {

struct FreeArchive {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Handle = std::unique_ptr<archive, FreeArchive>;

std::string message_of(archive* a) {
  const char* text = archive_error_string(a);
  return text ? text : "unknown error";
}

[[noreturn]] void fail(archive* a, const std::string& where) {
  const std::string text = message_of(a);
  if (text.find("runcated") != std::string::npos || text.find("end of file") != std::string::npos)
    throw Error("the compressed data end too early (" + text + ")", where, "the file is cut short: fetch it again");
  throw Error("the compressed data are damaged (" + text + ")", where, "fetch the file again");
}

Handle open_handle(const std::string& path) {
  Handle a(archive_read_new());
  archive_read_support_filter_gzip(a.get());
  archive_read_support_filter_bzip2(a.get());
  archive_read_support_filter_xz(a.get());
  archive_read_support_filter_zstd(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_format_zip(a.get());
  archive_read_support_format_raw(a.get());
  archive_read_support_format_empty(a.get());
  if (archive_read_open_filename(a.get(), path.c_str(), std::size_t{1} << 20) != ARCHIVE_OK) fail(a.get(), path);
  return a;
}

class Member final : public Source {
 public:
  Member(Handle a, const std::string& path, std::string label) : Source(std::move(label)), archive_(std::move(a)) {
    struct stat info = {};
    if (::stat(path.c_str(), &info) == 0) packed_size_ = static_cast<double>(info.st_size);
  }
  std::size_t read(char* to, std::size_t most) override {
    std::size_t got = 0;
    while (got < most) {
      const la_ssize_t n = archive_read_data(archive_.get(), to + got, most - got);
      if (n == ARCHIVE_RETRY) continue;
      if (n < 0) fail(archive_.get(), label_);
      if (n == 0) break;
      got += static_cast<std::size_t>(n);
    }
    return got;
  }
  double fraction() const override {
    if (packed_size_ <= 0) return 0;
    return std::min(1.0, static_cast<double>(archive_filter_bytes(archive_.get(), -1)) / packed_size_);
  }

 private:
  Handle archive_;
  double packed_size_ = 0;
};

// The collection names the main matrix like its folder; right-hand sides and coordinates get a suffix (_b, _coord).
bool is_main(const std::string& member, const std::string& path) {
  if (!has_matrix_extension(member)) return false;
  const std::string stem = stem_of(member);
  if (stem == stem_of(path)) return true;
  const auto slash = member.find_last_of('/');
  if (slash == std::string::npos) return false;
  const std::string folder = member.substr(0, slash);
  return stem == folder.substr(folder.find_last_of('/') + 1);
}

bool has_matrix_content(archive* a, const std::string& label) {
  char head[kHeadBytes];
  const la_ssize_t n = archive_read_data(a, head, sizeof head);
  if (n < 0) fail(a, label);
  return recognise({head, static_cast<std::size_t>(n)}) != nullptr;
}

// Moves to the next regular member; false at the end.
bool next_member(archive* a, const std::string& path, std::string& name) {
  for (archive_entry* entry = nullptr;;) {
    const int status = archive_read_next_header(a, &entry);
    if (status == ARCHIVE_EOF) return false;
    if (status == ARCHIVE_RETRY) continue;
    if (status < ARCHIVE_WARN) fail(a, path);
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    if (archive_entry_is_data_encrypted(entry))
      throw Error("the archive is encrypted", path, "unpack it with its password first");
    const char* text = archive_entry_pathname(entry);
    name = text ? text : "";
    return true;
  }
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 5); ++i) list += (i ? ", " : "") + names[i];
  return names.size() > 5 ? list + ", ..." : list;
}

// A second walk, for an archive whose only matrix is not named like its folder.
std::unique_ptr<Source> reopen_at(const std::string& path, const std::string& member) {
  Handle a = open_handle(path);
  std::string name;
  while (next_member(a.get(), path, name))
    if (name == member) return std::make_unique<Member>(std::move(a), path, path + "(" + name + ")");
  throw Error("the archive changed while it was read", path);
}

}  // namespace

std::unique_ptr<Source> open_archive(const std::string& path) {
  Handle a = open_handle(path);
  std::vector<std::string> members, matrices;
  for (std::string name; next_member(a.get(), path, name);) {
    const std::string label = path + "(" + name + ")";
    const bool packed_file = (archive_format(a.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_RAW;
    if (packed_file) return std::make_unique<Member>(std::move(a), path, path);
    if (is_main(name, path)) return std::make_unique<Member>(std::move(a), path, label);
    members.push_back(name);
    if (has_matrix_extension(name) || has_matrix_content(a.get(), label)) matrices.push_back(name);
  }
  if (matrices.size() == 1) return reopen_at(path, matrices.front());
  if (members.empty()) throw Error("the file is empty once unpacked", path, "expected a matrix file");
  if (matrices.empty())
    throw Error("the archive has no matrix file (it has " + list_of(members) + ")", path,
                "expected " + readable_formats());
  throw Error(
      "the archive has several matrices and none is named like the archive or its folder (" + list_of(matrices) + ")",
      path, "unpack it and open one of them");
}

}  // namespace warpspy
