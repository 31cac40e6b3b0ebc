#include "core/io/folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/base/types.hpp"
#include "core/io/io.hpp"
#include "core/io/packed.hpp"
#include "core/io/reader.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

// Names that any kind of file may have: their content decides.
bool is_matrix(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return false;
  if (!has_matrix_name(file.filename())) return false;
  if (!has_common_name(file.filename().string())) return true;
  try {
    const auto bytes = open_source(file);
    const Peeked source(*bytes, kHeadBytes);
    return recognise(source.head(), source.name()) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<FolderEntry> list_folder(const std::string& folder, const std::vector<std::string>& besides) {
  std::error_code failed;
  fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) throw Error("this folder cannot be read: " + failed.message(), folder, "choose another one");
  std::vector<FolderEntry> entries;
  for (; it != fs::directory_iterator(); it.increment(failed)) {
    if (failed) break;
    std::error_code unknown;
    const std::string name = it->path().filename();
    if (name.empty() || name[0] == '.') continue;
    const bool is_folder = it->is_directory(unknown);
    const bool wanted = has_matrix_name(name) || std::any_of(besides.begin(), besides.end(), [&](const auto& ending) {
                          return name.ends_with(ending);
                        });
    if (!is_folder && !wanted) continue;
    const std::uintmax_t bytes = is_folder ? 0 : it->file_size(unknown);
    entries.push_back({name, is_folder, unknown ? 0 : bytes});
  }
  std::sort(entries.begin(), entries.end(), [](const FolderEntry& a, const FolderEntry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
  });
  return entries;
}

std::vector<std::string> sources_of(const std::string& source) {
  if (!is_folder(source)) return {source};
  std::vector<std::string> found;
  for (const FolderEntry& e : list_folder(source))
    if (const fs::path file = fs::path(source) / e.name; !e.is_folder && is_matrix(file)) found.push_back(file);
  if (found.empty())
    throw Error("there is no matrix in this folder", source, "files that are read: " + readable_formats());
  return found;
}

bool is_folder(const std::string& source) {
  std::error_code unknown;
  return source.rfind("gen:", 0) != 0 && fs::is_directory(source, unknown);
}

std::string with_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  if (!home || path.empty() || path[0] != '~' || (path.size() > 1 && path[1] != '/')) return path;
  return home + path.substr(1);
}

}  // namespace warpspy
