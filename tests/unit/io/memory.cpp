// Files that are opened at once share what is free.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/io/io.hpp"
#include "core/io/reader.hpp"
#include "core/matrix/memory_guard.hpp"

namespace warpspy {
namespace {

TEST(OpeningAtOnce, WhatOneFilePromisesTheNextDoesNotFind) {
  ::setenv("WARPSPY_MEMORY", "2GiB", 1);
  {
    MemoryReservation claim;
    const ReadLimits limits{available_memory(), {}, &claim};
    require_memory(1000, 1000, 40e6, false, limits, "first.mtx");  // twice 16 bytes each
    std::thread([] {
      EXPECT_LT(available_memory(), std::size_t{900'000'000});
      const std::string file = ::testing::TempDir() + "/warpspy_second.mtx";
      std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n10000000 10000000 40000000\n1 1 1\n";
      Progress progress;
      try {
        open_matrix(file, progress);
        ADD_FAILURE() << "both were allowed";
      } catch (const Error& e) {
        EXPECT_NE(e.reason.find("of memory, but "), std::string::npos) << e.what();
      }
      std::filesystem::remove(file);
    }).join();
    EXPECT_GT(available_memory(), std::size_t{1'500'000'000});
  }
  ::unsetenv("WARPSPY_MEMORY");
}

}  // namespace
}  // namespace warpspy
