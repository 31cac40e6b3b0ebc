// Gets one file of the collection: finds it on this machine, or downloads, checks and keeps it.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "core/base/numbers.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/target.hpp"
#include "core/collection/collection.hpp"
#include "core/collection/downloads.hpp"
#include "core/collection/http.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTagBytes = 4096;
constexpr int kTries = 4;  // without a byte that is new between them

// The first part of a file whose download was interrupted, with the tag of its version.
class Part {
 public:
  explicit Part(const std::string& target) : target_(target), path_(target + ".part"), tag_path_(path_ + ".tag") {
    std::error_code failed;
    fs::create_directories(fs::path(target).parent_path(), failed);
    if (failed)
      throw Error("the folder cannot be made: " + failed.message(), fs::path(target).parent_path().string(),
                  "let XDG_CACHE_HOME name a folder that can be written");
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) fail("cannot be written");
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      ::close(std::exchange(fd_, -1));
      throw Error("another Warpspy is fetching it", target, "wait for it, and fetch it again");
    }
    struct stat info = {};
    if (::fstat(fd_, &info) == 0) size_ = static_cast<std::uint64_t>(info.st_size);
    const std::string text = read_file_if_there(tag_path_, kMostTagBytes).value_or("");
    tag_ = text.substr(0, text.find('\n'));
    if (tag_.empty()) restart("");
  }
  ~Part() {
    if (fd_ >= 0) ::close(fd_);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  const std::string& tag() const { return tag_; }

  void restart(const std::string& tag) {
    if (::ftruncate(fd_, 0) != 0) fail("cannot be written");
    size_ = 0, tag_ = tag;
    if (tag.empty())
      ::unlink(tag_path_.c_str());
    else
      write_file(tag_path_, tag + "\n");
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail("cannot be written");
      size_ += static_cast<std::uint64_t>(n);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  void drop() {
    ::unlink(path_.c_str());
    ::unlink(tag_path_.c_str());
  }
  void commit() {
    if (::fsync(fd_) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail("cannot be written");
    ::unlink(tag_path_.c_str());
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("the fetched file " + what + ": " + std::strerror(errno), target_,
                "make room on the disk, or let XDG_CACHE_HOME name another folder; what came is kept");
  }
  std::string target_, path_, tag_path_, tag_;
  std::uint64_t size_ = 0;
  int fd_ = -1;
};

class Download {
 public:
  Download(const CollectionPlace& place, FetchedMatrix& result, Progress& progress)
      : place_(place),
        result_(result),
        progress_(progress),
        url_(place.from + "/MM/" + result.full_name + ".tar.gz"),
        part_(result.path) {}

  void run() {
    for (int tries = 1;; ++tries) {
      const std::uint64_t before = part_.size();
      try {
        once();
        break;
      } catch (const ConnectionLost&) {
        if (part_.size() > before) tries = 0;
        if (tries >= kTries) throw;
      }
    }
    progress_.stage("checking " + result_.full_name);
    try {
      downloads::check_gzip(part_.path(), progress_);
    } catch (const Error& e) {
      part_.drop();  // continuing the download would not repair it
      throw Error(e.reason, url_, e.remedy);
    }
    const downloads::Sum sum = downloads::sum_of(part_.path(), progress_);
    part_.commit();
    downloads::keep_sum(result_.path, sum);
    result_.bytes = sum.bytes;
  }

 private:
  void once() {
    http_get(
        {.url = url_, .from = part_.size(), .tag = part_.tag(), .stall_s = place_.stall_s},
        [this](const HttpReply& r) { begin(r); },
        [this](std::string_view bytes) {
          part_.write(bytes);
          tell();
        },
        progress_);
    if (all_ > 0 && part_.size() < all_)
      throw ConnectionLost("the connection was lost after " + byte_text(static_cast<double>(part_.size())) + " of " +
                               byte_text(static_cast<double>(all_)),
                           url_, "fetch it again: what came is kept");
  }

  void begin(const HttpReply& r) {
    if (r.status == 404 || r.status == 410) throw Error("the server has no such matrix", url_, near());
    if (r.status == 416) {  // the local part is longer than the whole file
      part_.restart("");
      throw ConnectionLost("the file has changed on the server", url_, "fetch it again");
    }
    if (r.status != 200 && r.status != 206)
      throw Error("the server answers " + std::to_string(r.status), url_, "try again later, or another mirror");
    if (r.status == 200 || r.from != part_.size()) {
      part_.restart(r.tag);
      if (r.status == 206)
        throw ConnectionLost("the server sent another part than was asked for", url_, "fetch it again");
    }
    all_ = r.bytes;
    for (std::string& name : downloads::make_room(place_, std::max(all_, part_.size()), result_.path))
      result_.removed.push_back(std::move(name));
    tell();
  }

  std::string near() const {
    const auto index = downloaded_index(place_);
    if (!index) return "warpspy fetch --list shows what it has";
    try {
      find_entry(*index, result_.full_name);
      return "its list has it, so try again later, or another mirror (WARPSPY_COLLECTION)";
    } catch (const Error& e) {
      return e.remedy;
    }
  }

  void tell() {
    if (all_ > 0) progress_.set(static_cast<double>(part_.size()) / static_cast<double>(all_));
    const std::string now = "fetching, " + byte_text(static_cast<double>(part_.size())) +
                            (all_ > 0 ? " of " + byte_text(static_cast<double>(all_)) : "");
    if (now != told_) progress_.stage(now);
    told_ = now;
  }

  const CollectionPlace& place_;
  FetchedMatrix& result_;
  Progress& progress_;
  std::string url_, told_;
  Part part_;
  std::uint64_t all_ = 0;  // bytes of the whole file; 0: unknown
};

std::string full_name_of(const CollectionPlace& place, const std::string& wanted, Progress& progress,
                         std::string& remark) {
  const std::size_t slash = wanted.find('/');
  if (slash != std::string::npos) {
    collection_file(place, wanted);  // throws on what is no name
    const auto index = downloaded_index(place);
    // Files that are newer than the index are known only to the server.
    return index && is_listed(*index, wanted) ? find_entry(*index, wanted).full() : wanted;
  }
  if (!is_collection_name(wanted))
    throw Error("this is no name of the collection", wanted,
                "it is GROUP/NAME, such as Williams/cant, or the name alone");
  FetchedIndex index = fetch_index(place, progress);
  remark = std::move(index.remark);
  return find_entry(index.index, wanted).full();
}

}  // namespace

FetchedMatrix fetch_matrix(const CollectionPlace& place, const std::string& wanted, Progress& progress) {
  FetchedMatrix result;
  result.full_name = full_name_of(place, wanted, progress, result.remark);
  result.path = collection_file(place, result.full_name);
  std::error_code failed;
  const bool here = fs::is_regular_file(result.path, failed);
  if (place.is_folder()) {
    if (!here)
      throw Error("the folder of the collection has no " + result.full_name, place.from,
                  "put MM/" + result.full_name + ".tar.gz there, or change WARPSPY_COLLECTION");
    result.was_here = true, result.bytes = fs::file_size(result.path, failed);
    return result;
  }
  if (place.folder.empty())
    throw Error("there is no folder where a fetched matrix could be kept", wanted, "set XDG_CACHE_HOME or HOME");
  if (here) {
    progress.stage("checking " + result.full_name);
    const auto sum = downloads::saved_sum(result.path);
    if (sum && downloads::sum_of(result.path, progress) == *sum) {
      mark_used(place, result.full_name);
      result.was_here = true, result.bytes = sum->bytes;
      return result;
    }
    result.remark = result.full_name + " was damaged on the disk, and was fetched again";
  }
  Download(place, result, progress).run();
  return result;
}

}  // namespace warpspy
