// Folders, as far as there are matrices in them.
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
// Folders, then files that are called like a matrix (has_matrix_name) or end in `besides`, each by name; hidden ones
// are left out. Throws Error when the folder cannot be read.
std::vector<FolderEntry> list_folder(const std::string& folder, const std::string& besides = {});

// What is opened for `source` ("gen:...", or a path): the matrices in it, by name, where it is a folder, else itself. A
// file that only may be one by its name (".txt") counts when it begins like one. Throws Error for a folder that cannot
// be read, or has no matrix in it.
std::vector<std::string> sources_of(const std::string& source);

bool is_folder(const std::string& source);
// "~" and "~/..." as the shell has them; others as they are.
std::string with_home(const std::string& path);

}  // namespace warpspy
