#include "kernels/vendor/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/types.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {

namespace fs = std::filesystem;

namespace {

// Loading maps some hundred megabytes, and the library's initialisation does not check whether it got memory.
constexpr std::size_t kLeastSpace = std::size_t{1} << 30;

bool has_space() {
  try {
    return memory_state().address_space_left >= kLeastSpace;
  } catch (const Error&) {
    return true;  // an invalid memory setting is reported elsewhere
  }
}

}  // namespace

LoadedLibrary load_library(const std::vector<std::string>& names, const std::vector<std::string>& folders) {
  LoadedLibrary found;
  if (!has_space()) {
    found.reason = "not loaded: less than 1 GB of addresses is left of what is allowed (ulimit -v)";
    return found;
  }
  std::vector<std::string> candidates = names;
  std::error_code ignored;
  for (const std::string& folder : folders)
    for (const std::string& name : names)
      if (fs::exists(fs::path(folder) / name, ignored)) candidates.push_back((fs::path(folder) / name).string());
  for (const std::string& candidate : candidates) {
    found.looked.push_back(candidate);
    found.handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!found.handle) {
      // The error of a file that exists but cannot be loaded says more than that a name was not found.
      const char* why = dlerror();
      if (candidate.find('/') != std::string::npos && why) found.reason = why;
      continue;
    }
    const link_map* map = nullptr;
    const bool named = dlinfo(found.handle, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name;
    found.path = named ? map->l_name : candidate;
    found.reason.clear();
    return found;
  }
  if (!found.reason.empty()) return found;
  found.reason = "not found:";
  for (const std::string& name : names) found.reason += " " + name;
  found.reason += ", in LD_LIBRARY_PATH, the system's libraries";
  for (const std::string& folder : folders) found.reason += ", " + folder;
  return found;
}

std::vector<std::string> cuda_folders() {
  std::vector<std::string> folders;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) folders.push_back(program.parent_path().string());
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable))
      for (const char* below : {"lib64", "lib"}) folders.push_back((fs::path(home) / below).string());
  folders.insert(folders.end(), {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"});
#if defined(WARPSPY_CUDA_LIBRARIES)
  folders.push_back(WARPSPY_CUDA_LIBRARIES);
#endif
  return folders;
}

}  // namespace warpspy
