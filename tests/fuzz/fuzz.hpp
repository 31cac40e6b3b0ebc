// What a fuzz target is made of. targets.cpp is THE list; main.cpp drives it through libFuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy::fuzz {

using Bytes = std::string_view;
using Words = std::vector<std::string>;

// A number below `n`, from the seed that libFuzzer gives: the same input and seed give the same mutation.
struct Random {
  std::minstd_rand engine;
  std::size_t below(std::size_t n) { return n < 2 ? 0 : engine() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
};

struct Target {
  std::string name;
  // May throw Error or Cancelled, which refuse the input. Whatever else goes wrong ends the process and is a find.
  std::function<void(Bytes)> run;
  // Empty: libFuzzer's own.
  std::function<std::string(const std::string&, Random&)> mutate = {};
  // What is made of a file for a beginning; "" when it is none of this target's. Empty: no files.
  std::function<std::string(const std::string& path)> seed_of = {};
  // Beginnings that stand in no file.
  std::function<Words()> seeds = {};
};
std::vector<Target> targets();

std::vector<Target> reader_targets();  // one for each row of core/io/readers.cpp
Target archive_target();
Target zip_target();
Target cache_target();
Target generator_target();
Target permutation_target();
Target history_target();
Target engine_target();
Target server_target();
Target drawn_target();
Target sweep_target();
std::vector<Target> json_targets();
std::vector<Target> lesson_targets();  // lessons, and answers to them

// files.cpp

// A file in memory that goes with the value.
class InputFile {
 public:
  explicit InputFile(Bytes bytes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int fd_;
  std::string path_;
};
// A folder of this process below TMPDIR, removed when it ends.
const std::string& folder();
// "" when it cannot be read or is larger than a good seed.
std::string contents(const std::string& path);
void write_file(const std::string& path, Bytes bytes);
constexpr std::size_t kLargestSeed = 32768;

// check.cpp: ends the process with the text when `ok` does not hold.
void require(bool ok, std::string_view what);
// Row pointers and columns are as csr.hpp promises, and the matrix reads back from .mtx and .npz as it is.
void check_matrix(const Matrix& m);

// memory.cpp

constexpr std::uint64_t kMemory = std::uint64_t{4} << 20;
// While it lives, `bytes` are free for all that ask, and taking more than these and kBeside ends the process.
class MemoryGuard {
 public:
  explicit MemoryGuard(std::uint64_t bytes = kMemory);
  ~MemoryGuard();
  MemoryGuard(const MemoryGuard&) = delete;
  MemoryGuard& operator=(const MemoryGuard&) = delete;
};
// What a reader may take beside the matrix: buffers, and the windows of the unpacking libraries. libzstd takes windows
// of up to 128 MB, twice where frames follow each other.
constexpr std::uint64_t kBeside = std::uint64_t{320} << 20;

// mutate.cpp

// Turns a number, a word or a line into another one; `words` of the format. Any text.
std::string mutate_text(std::string text, const Words& words, Random& random);
// Sets an aligned 32- or 64-bit number to one where arithmetic goes wrong, or leaves it to libFuzzer.
std::string mutate_binary(std::string bytes, Random& random);
std::string mutate_plainly(std::string bytes, Random& random);  // libFuzzer's own

// packed.cpp

// Takes the archive apart, lets `mutate` alter a member, and packs again, so that every length and check sum is right;
// or alters the packed bytes. `zip_only`: as NumPy does; else in any way that core/io/archive.cpp reads.
std::string mutate_packed(const std::string& bytes, bool zip_only,
                          const std::function<std::string(std::string, Random&)>& mutate, Random& random);

}  // namespace warpspy::fuzz
