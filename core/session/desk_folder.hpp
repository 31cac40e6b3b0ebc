// Where desks are kept between two starts: $XDG_STATE_HOME/warpspy, one file for each window that runs at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpspy {

// $XDG_STATE_HOME/warpspy, else ~/.local/state/warpspy; "" where there is no home.
std::string desk_folder();

// A desk that lies there and that no window has.
struct LeftDesk {
  std::string file;
  bool crashed = false;  // its window did not end as it should
  bool before = false;   // it made room for another one
  std::filesystem::file_time_type written = {};
};

// The place of one running program. The first takes desk.json, a second beside it desk-2.json, so that neither writes
// over the other's, and each gets its own back. It is held by a lock of the system, which ends with the program
// however that ends; what the lock's file says tells whether it ended well.
class DeskPlace {
 public:
  // Throws Error where nothing can be kept: the folder cannot be written, or sixteen windows are open.
  explicit DeskPlace(const std::string& folder);
  ~DeskPlace();  // without leave(), the next start takes this one for crashed
  DeskPlace(const DeskPlace&) = delete;
  DeskPlace& operator=(const DeskPlace&) = delete;

  const std::string& file() const { return file_; }
  // The desk that made room for another one: it was not brought back, or a session was opened in its place.
  std::string before() const;
  // The program that held the place before did not end as it should, and left a desk.
  bool crashed() const { return crashed_; }
  // Of all places but the file of this one: those of windows that run no more, and those that made room. Newest first.
  std::vector<LeftDesk> left() const;
  // The desk of another place comes to this one, and what lies here goes there; `crashed` is to be known of that.
  // false: another window has it by now.
  bool swap(const std::string& file, bool crashed);
  // That its window crashed is known, and is asked no more.
  void answered(const std::string& file) const;
  // The desk becomes the one before; nothing to do where there is none.
  void set_aside() const;
  // The program ends as it should.
  void leave();

 private:
  bool take(const std::string& lock);

  std::string file_;
  bool crashed_ = false;
  int fd_ = -1;
};

}  // namespace warpspy
