// libFuzzer's entry points. `warpspy_fuzz --target=NAME [LIBFUZZER FLAGS] CORPUS...` fuzzes; --targets lists the names;
// --target=NAME --seeds=FOLDER FILE... writes what can be begun with.
#include <sanitizer/lsan_interface.h>
#include <tbb/task_arena.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/matrix/memory.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

const Target* chosen = nullptr;

void write_seed(const std::string& to, int& count, const std::string& bytes) {
  if (bytes.empty() || bytes.size() > kLargestSeed) return;
  write_file(to + "/seed-" + std::to_string(count++), bytes);
}

int write_seeds(const std::string& to, std::span<char*> files) {
  int count = 0;
  if (chosen->seeds)
    for (const std::string& seed : chosen->seeds()) write_seed(to, count, seed);
  for (const char* file : files) {
    if (!chosen->seed_of || file[0] == '-') continue;
    try {
      write_seed(to, count, chosen->seed_of(file));
    } catch (const Error&) {  // not one of ours
    }
  }
  std::printf("%d\n", count);
  return 0;
}

void choose(const std::string& name) {
  static const std::vector<Target> list = targets();
  for (const Target& t : list)
    if (t.name == name) chosen = &t;
  if (chosen) return;
  std::fprintf(stderr, "no target is called '%s'; --targets lists them\n", name.c_str());
  std::exit(2);
}

// Sees that the word put in place of available_memory's is the one that is heard (CMakeLists.txt): what is compiled
// together with those who ask would not hear it, and readers would take what this machine has.
void check_memory() {
  const std::uint64_t bytes = kMemory / 2;
  const MemoryGuard guard(bytes);
  if (available_memory() == bytes) return;
  std::fprintf(stderr, "the memory that targets have is not the fuzzer's to say: %zu bytes are said to be free\n",
               available_memory());
  std::exit(2);
}

void list_targets() {
  for (const Target& t : targets()) std::printf("%s\n", t.name.c_str());
  std::exit(0);
}

}  // namespace

void run_one(Bytes input) {
  static tbb::task_arena alone(1);  // the same every time
  alone.execute([&] {
    try {
      chosen->run(input);
    } catch (const Error& e) {
      require(!e.reason.empty() && std::string_view(e.what()).find('\n') == std::string_view::npos,
              std::string("a refusal is one line: ") + e.what());
    } catch (const Cancelled&) {
    }
  });
}

}  // namespace warpspy::fuzz

using namespace warpspy::fuzz;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::span<char*> arguments(*argv + 1, static_cast<std::size_t>(*argc - 1));
  const char* seeds = nullptr;
  for (const char* a : arguments) {
    if (std::strcmp(a, "--targets") == 0) list_targets();
    if (std::strncmp(a, "--target=", 9) == 0) choose(a + 9);
    if (std::strncmp(a, "--seeds=", 8) == 0) seeds = a + 8;
  }
  if (!chosen) choose("");
  check_memory();
  if (seeds) std::exit(write_seeds(seeds, arguments));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  run_one({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (!chosen->mutate) return LLVMFuzzerMutate(data, size, max_size);
  const __lsan::ScopedDisabler ours;  // libarchive's writer leaks where it fails; nothing of that is fuzzed
  Random random{std::minstd_rand(seed)};
  const std::string input(reinterpret_cast<const char*>(data), size);
  const std::string output = chosen->mutate(input, random);
  if (output.empty() || output.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, output.data(), output.size());
  return output.size();
}
