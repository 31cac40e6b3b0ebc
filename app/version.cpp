#include "app/version.hpp"

#include "app/commit.hpp"  // made by cmake/Commit.cmake

namespace warpspy {

const Version& version() {
  static constexpr Version v = {WARPSPY_VERSION, WARPSPY_COMMIT, WARPSPY_COMPILERS, WARPSPY_GPU_CODE,
                                WARPSPY_LIBRARIES};
  return v;
}

std::string version_text() {
  const Version& v = version();
  std::string text = std::string("warpspy ") + v.number + "\n";
  const auto line = [&](const char* name, const char* value) { text.append(name).append(value).append("\n"); };
  line("commit     ", v.commit);
  line("compilers  ", v.compilers);
  line("GPU code   ", v.gpu_code);
  line("libraries  ", v.libraries);
  return text;
}

}  // namespace warpspy
