#include <type_traits>

#include "kernels/vendor/library.hpp"

#if defined(WARPSPY_HAVE_CUSPARSE_HEADER)
#include <dlfcn.h>

#include "kernels/vendor/functions.hpp"
#endif

namespace warpspy {
namespace {

#if defined(WARPSPY_HAVE_CUSPARSE_HEADER)

struct Found {
  VendorLibrary library;
  cusparse::Functions functions;
};

std::string version_of(const cusparse::Functions& f) {
  std::string text;
  for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    int value = 0;
    if (f.get_property(part, &value) != CUSPARSE_STATUS_SUCCESS) return "unknown";
    text += (text.empty() ? "" : ".") + std::to_string(value);
  }
  return text;
}

// Finds every function; returns the name of the first that is missing, or "".
std::string look_up(void* handle, cusparse::Functions& f) {
  std::string missing;
  const auto get = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    if (!function && missing.empty()) missing = name;
  };
  get("cusparseCreate", f.create);
  get("cusparseDestroy", f.destroy);
  get("cusparseSetStream", f.set_stream);
  get("cusparseGetProperty", f.get_property);
  get("cusparseGetErrorString", f.error_string);
  get("cusparseCreateConstCsr", f.create_csr);
  get("cusparseCreateConstCoo", f.create_coo);
  get("cusparseCreateConstSlicedEll", f.create_sell);
  get("cusparseCreateConstBsr", f.create_bsr);
  get("cusparseDestroySpMat", f.destroy_matrix);
  get("cusparseCreateConstDnVec", f.create_const_vector);
  get("cusparseCreateDnVec", f.create_vector);
  get("cusparseDestroyDnVec", f.destroy_vector);
  get("cusparseCreateSpVec", f.create_sparse_vector);
  get("cusparseDestroySpVec", f.destroy_sparse_vector);
  get("cusparseGather", f.gather);
  get("cusparseScatter", f.scatter);
  get("cusparseSpMV_bufferSize", f.buffer_size);
  get("cusparseSpMV_preprocess", f.preprocess);
  get("cusparseSpMV", f.spmv);
  return missing;
}

Found find() {
  Found found;
  VendorLibrary& v = found.library;
  v.name = "cuSPARSE";
  v.remedy =
      "install it (apt install libcusparse-12-6, or that of your CUDA version), or name its folder in LD_LIBRARY_PATH";
  const LoadedLibrary loaded =
      load_library({"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"}, cuda_folders());
  v.path = loaded.path;
  v.reason = loaded.reason;
  if (!loaded.handle) return found;
  const std::string missing = look_up(loaded.handle, found.functions);
  if (!missing.empty()) {
    v.reason = loaded.path + " has no " + missing + ": it is too old";
    return found;
  }
  v.version = version_of(found.functions);
  v.available = true;
  v.remedy.clear();
  return found;
}

const Found& found() {
  static const Found once = find();
  return once;
}

}  // namespace

const VendorLibrary& vendor_library() { return found().library; }

namespace cusparse {
const Functions* functions() { return found().library.available ? &found().functions : nullptr; }
}  // namespace cusparse

#else

}  // namespace

const VendorLibrary& vendor_library() {
#if defined(WARPSPY_HAVE_CUDA)
  static const VendorLibrary none{.available = false,
                                  .name = "cuSPARSE",
                                  .version = {},
                                  .path = {},
                                  .reason = "built without cusparse.h, which this CUDA toolkit did not have",
                                  .remedy =
                                      "install it (apt install libcusparse-dev-12-6 or that of your CUDA "
                                      "version) and build again"};
#else
  static const VendorLibrary none{.available = false,
                                  .name = "cuSPARSE",
                                  .version = {},
                                  .path = {},
                                  .reason = "built without CUDA",
                                  .remedy = "install the CUDA toolkit 12.6 or later and build again"};
#endif
  return none;
}

#endif

}  // namespace warpspy
