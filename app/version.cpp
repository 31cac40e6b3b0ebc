#include "app/version.hpp"

#include "app/commit.hpp"  // made by cmake/Commit.cmake
#include "kernels/device/architectures.hpp"

namespace warpspy {

const Version& version() {
  static constexpr Version v = {WARPSPY_VERSION, WARPSPY_COMMIT, WARPSPY_COMPILERS, WARPSPY_LIBRARIES};
  return v;
}

std::string short_version() { return std::string(version().number) + " (" + version().commit + ")"; }

std::string version_text() {
  const Version& v = version();
  std::string text = std::string("warpspy ") + v.number + "\n";
  const auto line = [&](const char* name, const std::string& value) { text.append(name).append(value).append("\n"); };
  line("commit     ", v.commit);
  line("compilers  ", v.compilers);
  const auto code = compiled_gpu_code();
  line("GPU code   ", code.empty() ? "none: kernels run in the emulator" : text_of(code));
  line("libraries  ", v.libraries);
  return text;
}

}  // namespace warpspy
