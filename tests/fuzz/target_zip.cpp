// The ends of zip archives: any bytes have one or none, and what was cut off is never missed in silence.
#include <algorithm>
#include <functional>

#include "core/base/types.hpp"
#include "core/io/io.hpp"
#include "core/io/packed.hpp"
#include "core/io/zip_end.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

Matrix opened(Bytes bytes) {
  const InputFile file(bytes);
  Progress progress;
  const MemoryGuard guard;
  return open_matrix(file.path(), progress, 1);
}

void run(Bytes bytes) {
  const Bytes end = bytes.substr(bytes.size() - std::min(bytes.size(), kZipEndBytes));
  for (const std::uint64_t before : {std::uint64_t{0}, std::uint64_t{1} << 40, UINT64_MAX - bytes.size()})
    require(zip_end_remark(end, before + bytes.size()).find('\n') == std::string::npos, "a remark of several lines");
  if (!looks_zip(bytes) || !opened(bytes).source.warnings.empty()) return;
  const std::size_t cut = std::hash<Bytes>()(bytes) % bytes.size();
  try {
    require(!opened(bytes.substr(0, cut)).source.warnings.empty(), "an archive that was cut has no warning");
  } catch (const Error&) {
  }
}

std::string seed_of(const std::string& path) {
  const std::string bytes = contents(path);
  return looks_zip(bytes) ? bytes : std::string();
}

}  // namespace

Target zip_target() { return {.name = "zip", .run = run, .mutate = mutate_binary, .seed_of = seed_of}; }

}  // namespace warpspy::fuzz
