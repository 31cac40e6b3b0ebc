// Reading and writing Matrix Market, and the second opening of a file. The file is made once, in the temporary folder,
// or given:
//   WARPSPY_BENCH_FILE=some.mtx bench_io
// Entries per file: WARPSPY_BENCH_ENTRIES (default 2 million).
#include <benchmark/benchmark.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "core/io/cache.hpp"
#include "core/io/io.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/packed.hpp"

namespace {

using namespace warpspy;

long entries_wanted() {
  const char* text = std::getenv("WARPSPY_BENCH_ENTRIES");
  return text ? std::atol(text) : 2'000'000;
}

// Column by column, as the SuiteSparse collection writes; values with all their digits.
std::string write_file(const std::string& field) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("warpspy_bench_" + field + "_" + std::to_string(::getpid()) + ".mtx");
  const long n = entries_wanted(), per_column = 20, size = n / per_column;
  std::mt19937_64 random(1);
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate " << field << " general\n"
      << size << ' ' << size << ' ' << size * per_column << '\n';
  std::string text;
  const auto put = [&](auto value, char closing) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr).push_back(closing);
  };
  for (long col = 1; col <= size; ++col) {
    for (long k = 0; k < per_column; ++k) {
      put(k * (size / per_column) + static_cast<long>(random() % static_cast<unsigned long>(size / per_column)) + 1,
          ' ');
      put(col, field == "pattern" ? '\n' : ' ');
      if (field == "real") put(static_cast<double>(random() >> 11) * 0x1p-53 * 200 - 100, '\n');
      if (field == "integer") put(static_cast<long>(random() % 20001) - 10000, '\n');
    }
    if (text.size() > (1 << 20) || col == size) {
      out << text;
      text.clear();
    }
  }
  return path;
}

struct Files {
  std::map<std::string, std::string> paths;
  ~Files() {
    for (const auto& [field, path] : paths) std::filesystem::remove(path);
  }
  const std::string& of(const std::string& field) {
    auto& path = paths[field];
    if (path.empty()) path = write_file(field);
    return path;
  }
};

std::string file_of(const std::string& field, const std::string& ending = "") {
  static Files files;
  if (const char* given = std::getenv("WARPSPY_BENCH_FILE")) return given;
  if (ending.empty()) return files.of(field);
  auto& packed = files.paths[field + ending];
  if (packed.empty()) {
    packed = files.of(field) + ending;
    if (std::system(("gzip -c " + files.of(field) + " > " + packed).c_str()) != 0) std::abort();
  }
  return packed;
}

// Copies go to a folder of their own; without this object there are none.
class WithCache {
 public:
  WithCache()
      : folder_(std::filesystem::temp_directory_path() / ("warpspy_bench_cache_" + std::to_string(::getpid()))) {
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    ::setenv("WARPSPY_CACHE", "on", 1);
  }
  ~WithCache() {
    ::setenv("WARPSPY_CACHE", "off", 1);
    std::filesystem::remove_all(folder_);
  }

 private:
  std::filesystem::path folder_;
};
[[maybe_unused]] const int no_cache = ::setenv("WARPSPY_CACHE", "off", 1);

void count_work(benchmark::State& state, const std::string& path, index_t entries) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * std::filesystem::file_size(path)));
  state.SetItemsProcessed(state.iterations() * entries);
}

// Text to triplets: what other readers call reading.
void parse(benchmark::State& state, const std::string& field) {
  const std::string path = file_of(field);
  tbb::task_arena arena(static_cast<int>(state.range(0)));
  index_t entries = 0;
  for (auto _ : state) {
    Progress progress;
    arena.execute([&] {
      const auto source = open_source(path);
      TextStream text(*source);
      const MmHeader header = read_mm_header(text);
      const MmEntries result = read_mm_entries(text, header, {UINT64_MAX}, progress);
      entries = header.entries;
      benchmark::DoNotOptimize(result.coo.values.data());
    });
  }
  count_work(state, path, entries);
}

// Text to a validated CSR matrix: what opening a file takes.
void open_file(benchmark::State& state, const std::string& field) {
  const std::string path = file_of(field);
  index_t entries = 0;
  for (auto _ : state) {
    Progress progress;
    const Matrix m = open_matrix(path, progress, static_cast<int>(state.range(0)));
    entries = m.source.entries_in_file;
  }
  count_work(state, path, entries);
}

// As the user sees it: the first opening also keeps a copy; the second finds it.
void open_first(benchmark::State& state, const std::string& ending) {
  const WithCache cache;
  const std::string path = file_of("real", ending);
  index_t entries = 0;
  for (auto _ : state) {
    state.PauseTiming();
    clear_cache();
    state.ResumeTiming();
    Progress progress;
    entries = open_matrix(path, progress, static_cast<int>(state.range(0))).source.entries_in_file;
  }
  count_work(state, path, entries);
}
void open_again(benchmark::State& state, const std::string& ending) {
  const WithCache cache;
  const std::string path = file_of("real", ending);
  Progress progress;
  index_t entries = open_matrix(path, progress).source.entries_in_file;
  if (cache_usage().copies != 1) state.SkipWithError("no copy was kept");
  for (auto _ : state) entries = open_matrix(path, progress, static_cast<int>(state.range(0))).source.entries_in_file;
  count_work(state, path, entries);
}

// Triplets to CSR alone.
void assemble(benchmark::State& state, const std::string& field) {
  const std::string path = file_of(field);
  tbb::task_arena arena(static_cast<int>(state.range(0)));
  const auto source = open_source(path);
  TextStream text(*source);
  const MmHeader header = read_mm_header(text);
  Progress progress;
  const MmEntries entries = read_mm_entries(text, header, {UINT64_MAX}, progress);
  for (auto _ : state) {
    state.PauseTiming();
    Coo coo = entries.coo;
    state.ResumeTiming();
    arena.execute([&] { benchmark::DoNotOptimize(csr_from_coo(std::move(coo)).nnz()); });
  }
  state.SetItemsProcessed(state.iterations() * header.entries);
}

void write(benchmark::State& state, const std::string& field) {
  Progress progress;
  const Matrix m = open_matrix(file_of(field), progress);
  const std::string path =
      std::filesystem::temp_directory_path() / ("warpspy_bench_out_" + std::to_string(::getpid()) + ".mtx");
  tbb::task_arena arena(static_cast<int>(state.range(0)));
  for (auto _ : state) arena.execute([&] { write_matrix_market(*m.csr, path); });
  count_work(state, path, m.csr->nnz());
  std::filesystem::remove(path);
}

}  // namespace

#define WARPSPY_BENCH_FIELD(name, field) \
  BENCHMARK_CAPTURE(name, field, #field)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond)

WARPSPY_BENCH_FIELD(parse, real);
WARPSPY_BENCH_FIELD(parse, integer);
WARPSPY_BENCH_FIELD(parse, pattern);
WARPSPY_BENCH_FIELD(open_file, real);
WARPSPY_BENCH_FIELD(open_file, integer);
WARPSPY_BENCH_FIELD(open_file, pattern);
#define WARPSPY_BENCH_ENDING(name, title, ending) \
  BENCHMARK_CAPTURE(name, title, ending)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond)
WARPSPY_BENCH_ENDING(open_first, mtx, "");
WARPSPY_BENCH_ENDING(open_again, mtx, "");
WARPSPY_BENCH_ENDING(open_first, mtx_gz, ".gz");
WARPSPY_BENCH_ENDING(open_again, mtx_gz, ".gz");
WARPSPY_BENCH_FIELD(assemble, real);
WARPSPY_BENCH_FIELD(write, real);
