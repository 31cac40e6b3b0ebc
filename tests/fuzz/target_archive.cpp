// Compressed files and archives, through the entry point of core/io.
#include "core/io/io.hpp"
#include "core/io/packed.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

void run(Bytes bytes) {
  const InputFile file(bytes);
  Progress progress;
  Matrix m;
  {
    const MemoryGuard guard;
    m = open_matrix(file.path(), progress, 1);
  }
  check_matrix(m);
}

std::string mutate(const std::string& bytes, Random& r) {
  const auto text = [](std::string inner, Random& random) { return mutate_text(std::move(inner), {}, random); };
  return mutate_packed(bytes, false, text, r);
}

std::string seed_of(const std::string& path) {
  return open_source(path)->plain_path().empty() ? contents(path) : std::string();
}

}  // namespace

Target archive_target() { return {.name = "archive", .run = run, .mutate = mutate, .seed_of = seed_of}; }

}  // namespace warpspy::fuzz
