// Desks are kept between two starts of the program in $XDG_STATE_HOME/warpspy, with one file for each window that runs
// at the same time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpspy {

// $XDG_STATE_HOME/warpspy, else ~/.local/state/warpspy; "" without a home folder.
std::string desk_folder();

// A desk in that folder that no window uses.
struct LeftDesk {
  std::string file;
  bool crashed = false;  // its window crashed or was killed
  bool before = false;   // the desk that another one has replaced
  std::filesystem::file_time_type written = {};
};

// The file of one running program's desk. The first program takes desk.json, a second one desk-2.json, so that neither
// overwrites the other's desk, and each gets its own back. A lock of the system holds the place; it ends with the
// program, even after a crash. The contents of the lock's file say whether the program ended normally.
class DeskPlace {
 public:
  // Throws Error if no desk can be kept: the folder cannot be written, or sixteen windows are open.
  explicit DeskPlace(const std::string& folder);
  ~DeskPlace();  // without leave(), the next start believes that this program crashed
  DeskPlace(const DeskPlace&) = delete;
  DeskPlace& operator=(const DeskPlace&) = delete;

  const std::string& file() const { return file_; }
  // The desk that was set aside for another: it was not restored, or a session was opened in its place.
  std::string before() const;
  // The previous program at this place crashed and left a desk.
  bool crashed() const { return crashed_; }
  // All desks except this place's own: desks of windows that are closed, and desks that were set aside. Newest first.
  std::vector<LeftDesk> left() const;
  // Exchanges the desk of another place with the desk of this one; `crashed` is noted for the desk that goes there.
  // Returns false if another window has taken that place.
  bool swap(const std::string& file, bool crashed);
  // Notes that the user knows of this desk's crash and is not asked again.
  void answered(const std::string& file) const;
  // Sets the desk aside, so that before() finds it; does nothing if there is no desk.
  void set_aside() const;
  // Notes that the program ends normally.
  void leave();

 private:
  bool take(const std::string& lock);

  std::string file_;
  bool crashed_ = false;
  int fd_ = -1;
};

}  // namespace warpspy
