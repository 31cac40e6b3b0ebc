// Where desks are kept between two starts: $XDG_STATE_HOME/warpspy, one file for each window that runs at a time.
#pragma once

#include <string>

namespace warpspy {

// $XDG_STATE_HOME/warpspy, else ~/.local/state/warpspy; "" where there is no home.
std::string desk_folder();

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
