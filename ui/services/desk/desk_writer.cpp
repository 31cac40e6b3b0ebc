#include "ui/services/desk/desk_writer.hpp"

#include <utility>

#include "core/base/target.hpp"
#include "core/base/utc.hpp"

namespace warpspy::ui {

void DeskWriter::write(const std::string& path, Desk desk) {
  const std::lock_guard lock(mutex_);
  if (!closed_) write_locked(path, std::move(desk));
}

void DeskWriter::write_last(const std::string& path, Desk desk) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  write_locked(path, std::move(desk));
}

void DeskWriter::write_locked(const std::string& path, Desk desk) {
  desk.saved.clear();
  std::string text = to_json(desk);
  if (path == path_ && text == text_) return;
  desk.saved = utc_now();
  write_file(path, to_json(desk), Readers::owner);
  path_ = path, text_ = std::move(text);
}

}  // namespace warpspy::ui
