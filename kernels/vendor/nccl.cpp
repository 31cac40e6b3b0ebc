#include "kernels/vendor/nccl.hpp"

#include <dlfcn.h>

#include <type_traits>

#include "core/base/types.hpp"

namespace warpspy::nccl {
namespace {

struct Found {
  VendorLibrary library;
  Functions functions;
};

// Finds every function; returns the name of the first that is missing, or "".
std::string look_up(void* handle, Functions& f) {
  std::string missing;
  const auto get = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    if (!function && missing.empty()) missing = name;
  };
  get("ncclGetVersion", f.version);
  get("ncclGetErrorString", f.error_string);
  get("ncclCommInitAll", f.init_all);
  get("ncclCommDestroy", f.destroy);
  get("ncclCommAbort", f.abort);
  get("ncclGroupStart", f.group_start);
  get("ncclGroupEnd", f.group_end);
  get("ncclSend", f.send);
  get("ncclRecv", f.receive);
  get("ncclAllGather", f.all_gather);
  return missing;
}

// 22803 is 2.28.3; before 2.9 a version had a digit less (2708 is 2.7.8).
std::string version_text(int v) {
  const int major = v >= 10000 ? v / 10000 : v / 1000, rest = v >= 10000 ? v % 10000 : v % 1000;
  return std::to_string(major) + "." + std::to_string(rest / 100) + "." + std::to_string(rest % 100);
}

Found find() {
  Found found;
  VendorLibrary& v = found.library;
  v.name = "NCCL";
  v.remedy = "install it (libnccl2 of NVIDIA's repository), or name its folder in LD_LIBRARY_PATH";
  const LoadedLibrary loaded = load_library({"libnccl.so.2", "libnccl.so"}, cuda_folders());
  v.path = loaded.path;
  v.reason = loaded.reason;
  if (!loaded.handle) return found;
  const std::string missing = look_up(loaded.handle, found.functions);
  if (!missing.empty()) {
    v.reason = loaded.path + " has no " + missing + ": it is too old";
    return found;
  }
  int version = 0;
  v.version = found.functions.version(&version) == 0 ? version_text(version) : "unknown";
  v.available = true;
  v.remedy.clear();
  return found;
}

const Found& found() {
  static const Found once = find();
  return once;
}

}  // namespace

const VendorLibrary& library() { return found().library; }
const Functions* functions() { return library().available ? &found().functions : nullptr; }

void check(Result result, const std::string& what) {
  if (result != 0) throw Error(what + ": " + functions()->error_string(result) + " (NCCL)");
}

}  // namespace warpspy::nccl
