// Finds the matrices in folders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpspy {

struct FolderEntry {
  std::string name;
  bool is_folder = false;
  std::uintmax_t bytes = 0;  // of a file
  bool operator==(const FolderEntry&) const = default;
};
// Lists folders, then files with a matrix's name (has_matrix_name) or one that ends in one of `besides`, each sorted by
// name. Hidden ones are left out. Throws Error when the folder cannot be read.
std::vector<FolderEntry> list_folder(const std::string& folder, const std::vector<std::string>& besides = {});

// Returns what to open for `source` ("gen:...", or a path). For a folder these are the matrices in it, sorted by name;
// otherwise it is the source itself. A file whose name may be anything (".txt") counts as a matrix if it begins like
// one. Throws Error for a folder that cannot be read, or has no matrix in it.
std::vector<std::string> sources_of(const std::string& source);

bool is_folder(const std::string& source);
// Replaces a leading "~" by the home folder, as a shell does; other paths are unchanged.
std::string with_home(const std::string& path);

}  // namespace warpspy
