#include "app/cli/in_ranks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <system_error>

#include "profiling/ranks/ranks.hpp"

namespace warpspy::cli {
namespace {

namespace fs = std::filesystem;

// What this process prints goes nowhere: rank 0 says the same.
void be_silent() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

}  // namespace

int in_ranks(const std::function<int(Ranks*)>& command) {
  const auto place = rank_place();
  if (!place) return command(nullptr);
  if (place->rank > 0) be_silent();
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const auto ranks = begin_ranks(*place, {beside.string(), (beside / "../lib/warpspy").string()});
  int code = 0;
  std::exception_ptr usage;  // help, or options that are not understood: all ranks have the same
  ranks->together([&] {
    try {
      code = command(ranks.get());
    } catch (const CLI::Error&) {
      usage = std::current_exception();
    }
  });
  if (usage) std::rethrow_exception(usage);
  return code;
}

}  // namespace warpspy::cli
