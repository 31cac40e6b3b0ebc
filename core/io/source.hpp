// A source of the bytes of a matrix, such as a plain file. packed.hpp has compressed files and archives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/jobs/progress.hpp"

namespace warpspy {

class Source {
 public:
  explicit Source(std::string label) : label_(std::move(label)) {}
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Fills `to` with up to `most` bytes; fewer only at the end. Throws Error when the data cannot be read.
  virtual std::size_t read(char* to, std::size_t most) = 0;
  // Share of the file (as it lies on the disk) that has been read; 0 when its size is unknown.
  virtual double fraction() const = 0;
  // The path of a file with exactly these bytes, for libraries that open files themselves; empty if there is none.
  virtual std::string plain_path() const { return {}; }
  // Reads up to `most` of the bytes after a matrix, so that check sums at the end are compared. Throws Error if they
  // disagree. Does nothing for a plain file.
  virtual void finish(std::uint64_t most) { static_cast<void>(most); }
  // A sentence for the user if the bytes have no check sum; mostly empty.
  virtual std::string remark() const { return {}; }
  // For messages: the path, or "path(member)".
  const std::string& label() const { return label_; }
  // The name whose extension hints at the format: the path, or the member's name.
  virtual std::string name() const { return label_; }

 protected:
  // Reads bytes and ignores them.
  void skip(std::uint64_t most);
  std::string label_;
};

// This many bytes from the beginning are enough to recognise a file.
constexpr std::size_t kHeadBytes = 4096;

// A source whose first bytes can be examined before it is read.
class Peeked final : public Source {
 public:
  Peeked(Source& source, std::size_t most);
  Peeked(std::unique_ptr<Source> source, std::size_t most);
  std::string_view head() const { return head_; }
  std::size_t read(char* to, std::size_t most) override;
  double fraction() const override { return source_.fraction(); }
  std::string plain_path() const override { return source_.plain_path(); }
  void finish(std::uint64_t most) override { source_.finish(most); }
  std::string remark() const override { return source_.remark(); }
  std::string name() const override { return source_.name(); }

 private:
  std::unique_ptr<Source> owned_;
  Source& source_;
  std::string head_;
  std::size_t at_ = 0;
};

// Opens a plain file, or a pipe into which another program writes. Throws Error. Cancelling `waiting`, if given, ends
// the wait for bytes from a pipe.
std::unique_ptr<Source> open_file(const std::string& path, const Progress* waiting = nullptr);

}  // namespace warpspy
