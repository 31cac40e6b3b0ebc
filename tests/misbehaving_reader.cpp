// In place of the program that reads MATLAB 7.3 files: does what its file's name says ("hang.mat"). For what a library
// may do to a damaged file, and for answers that lie.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/io/matlab_wire.hpp"

namespace {

using warpspy::MatlabAnswer;
using warpspy::MatlabAnswerKind;

void answer(std::uint64_t rows, std::uint64_t cols, std::uint64_t entries,
            MatlabAnswerKind kind = MatlabAnswerKind::matrix, std::uint32_t flags = 0) {
  MatlabAnswer a;
  a.kind = kind;
  a.flags = flags;
  a.rows = rows, a.cols = cols, a.entries = entries;
  std::fwrite(&a, sizeof a, 1, stdout);
  std::fflush(stdout);
}

template <class T>
void write(const std::vector<T>& v) {
  std::fwrite(v.data(), sizeof(T), v.size(), stdout);
  std::fflush(stdout);
}

// Of a 3 x 2 matrix.
void arrays(const std::vector<std::uint32_t>& row, const std::vector<std::uint32_t>& pointer) {
  answer(3, 2, row.size());
  write(row);
  write(pointer);
  write(std::vector<double>(row.size(), 1.5));
}

void crash() {
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
}

void grow() {
  std::vector<char*> blocks;
  for (;;) {
    constexpr std::size_t n = std::size_t{4} << 20;
    char* block = static_cast<char*>(std::malloc(n));
    if (!block) std::abort();
    std::memset(block, 1, n);
    blocks.push_back(block);
    ::usleep(2000);  // a watch that sleeps in between shall see it grow
  }
}

// Says who hangs, so that it can be looked whether it still does.
[[noreturn]] void hang(const char* path) {
  const std::string file = std::string(path) + ".pid";
  FILE* to = std::fopen((file + "_").c_str(), "w");
  if (to) std::fprintf(to, "%d", static_cast<int>(::getpid())), std::fclose(to);
  std::rename((file + "_").c_str(), file.c_str());
  for (;;) ::pause();
}

void fill_disk(const char* path) {
  FILE* file = std::fopen((std::string(path) + ".filled").c_str(), "wb");
  const std::vector<char> zeros(std::size_t{1} << 20);
  for (int k = 0; k < 64 && file; ++k) std::fwrite(zeros.data(), 1, zeros.size(), file);
}

struct Role {
  const char* name;
  void (*play)(const char* path);
};
constexpr Role kRoles[] = {
    {"honest", [](const char*) { arrays({0, 2}, {0, 1, 2}); }},
    {"open",
     [](const char*) {
       answer(3, 2, 0, MatlabAnswerKind::matrix, MatlabAnswer::kOpen), write<std::uint32_t>({0, 0, 0});
     }},
    {"crash", [](const char*) { crash(); }},
    {"crash_late", [](const char*) { answer(3, 2, 2), write<std::uint32_t>({0}), crash(); }},
    {"abort", [](const char*) { std::signal(SIGABRT, SIG_DFL), std::abort(); }},
    {"hang", [](const char* path) { hang(path); }},
    {"hang_late", [](const char* path) { answer(3, 2, 2), hang(path); }},
    {"hang_closed", [](const char* path) { ::close(STDOUT_FILENO), hang(path); }},
    {"grab",
     [](const char*) {
       // Asked for, never touched: only a bound on addresses sees it.
       constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
       if (::mmap(nullptr, std::size_t{1} << 40, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) std::abort();
     }},
    {"spin",
     [](const char*) {
       for (volatile bool on = true; on;) {
       }
     }},
    {"grow", [](const char*) { grow(); }},
    {"fill_disk", fill_disk},
    {"nothing", [](const char*) {}},
    {"noise",
     [](const char*) {
       for (int k = 0; k < 1000; ++k) std::puts("HDF5-DIAG: Error detected in HDF5 (1.10.8)");
     }},
    {"chatter", [](const char*) { std::fputs("HDF5: infinite loop closing library\n", stderr); }},
    {"unknown_kind", [](const char*) { answer(3, 2, 0, static_cast<MatlabAnswerKind>(77)); }},
    {"many_entries", [](const char*) { answer(3, 2, std::uint64_t{1} << 60); }},
    {"many_rows", [](const char*) { answer(UINT64_MAX, 2, 0); }},
    {"many_columns", [](const char*) { answer(3, UINT64_MAX, 0); }},
    {"more_than_memory", [](const char*) { answer(3, 2, UINT32_MAX); }},
    {"long_text", [](const char*) { answer(0, 0, std::uint64_t{1} << 40, MatlabAnswerKind::damaged); }},
    {"not_text",
     [](const char*) { answer(0, 0, 4, MatlabAnswerKind::damaged), write<char>({'a', '\n', '\x1b', '\xff'}); }},
    {"row_out_of_range", [](const char*) { arrays({0, 3}, {0, 1, 2}); }},
    {"first_pointer", [](const char*) { arrays({0, 2}, {1, 1, 2}); }},
    {"pointers_decrease", [](const char*) { arrays({0, 2}, {0, 2, 1}); }},
    {"pointers_beyond", [](const char*) { arrays({0, 2}, {0, 1, 3}); }},
    {"pointers_before", [](const char*) { arrays({0, 2}, {0, 1, 1}); }},
    {"no_values", [](const char*) { answer(3, 2, 2), write<std::uint32_t>({0, 2}), write<std::uint32_t>({0, 1, 2}); }},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (char c; ::read(STDIN_FILENO, &c, 1) > 0;) {
  }
  const std::string name = std::filesystem::path(argv[1]).stem();
  for (const Role& role : kRoles)
    if (name == role.name) role.play(argv[1]);
  return 0;
}
