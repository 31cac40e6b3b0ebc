#include "ui/services/kept_files.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace warpspy::ui {

struct KeptFiles::Write::OnDisk {
  std::mutex mutex;
  std::map<std::string, std::uint64_t> written;  // for each file, the version that was written last
};

KeptFiles::KeptFiles() : disk_(std::make_shared<Write::OnDisk>()) {}

KeptFiles::Write KeptFiles::write(const std::string& path, std::function<std::string()> text, Readers readers) {
  return {disk_, path, std::move(text), readers, ++told_};
}

void KeptFiles::Write::operator()() const {
  const std::lock_guard lock(disk->mutex);
  std::uint64_t& written = disk->written[path];
  if (number <= written) return;
  write_file(path, text(), readers);
  written = number;
}

}  // namespace warpspy::ui
