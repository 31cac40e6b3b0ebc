#include "ui/services/workspace/recent.hpp"

#include <filesystem>

#include "core/io/reader.hpp"

namespace warpspy::ui {

namespace fs = std::filesystem;

void remember(AppState& s, const std::string& source) {
  // Relative paths would mean another file in another folder.
  std::error_code failed;
  const bool is_file = is_path(source);
  const auto absolute = is_file ? fs::absolute(source, failed).lexically_normal().string() : source;
  const std::string entry = failed || absolute.empty() ? source : absolute;
  std::erase(s.recent, entry);
  s.recent.insert(s.recent.begin(), entry);
  if (s.recent.size() > kRecent) s.recent.resize(kRecent);
}

}  // namespace warpspy::ui
