// Whole files: what is not regular, or larger than it may be, is refused at once.
#include "core/base/regular_file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/types.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

class RegularFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("warpspy_regular_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static std::string refusal(const std::string& path, std::uint64_t most = 100) {
    try {
      read_file(path, most, {"note", "write another"});
    } catch (const Error& e) {
      EXPECT_EQ(e.where, path);
      EXPECT_EQ(e.remedy, "write another");
      return e.reason;
    }
    return "it was read";
  }
  fs::path folder_;
};

TEST_F(RegularFiles, AreReadWhole) {
  for (const std::size_t n : {0u, 1u, 99u, 100u})
    EXPECT_EQ(read_file(file("a", std::string(n, 'x')), 100), std::string(n, 'x')) << n;
  const std::string large(300'000, 'y');
  EXPECT_EQ(read_file(file("b", large), large.size()), large);
  fs::create_symlink(folder_ / "b", folder_ / "link");
  EXPECT_EQ(read_file(folder_ / "link", large.size()), large);
  // Those of /proc have no size.
  EXPECT_FALSE(read_file("/proc/self/status", 1 << 20).empty());
}

TEST_F(RegularFiles, WhatIsTooLargeIsNotTaken) {
  EXPECT_EQ(refusal(file("a", std::string(101, 'x'))), "the note cannot be read: it has more than 100 B");
  EXPECT_EQ(refusal("/proc/self/status", 10), "the note cannot be read: it has more than 10 B");
  fs::resize_file(file("sparse", ""), std::uintmax_t{1} << 40);
  EXPECT_EQ(refusal(folder_ / "sparse"), "the note cannot be read: it has more than 100 B");
}

TEST_F(RegularFiles, WhatIsNoneIsNotWaitedFor) {
  const std::string pipe = folder_ / "pipe", socket = folder_ / "socket";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(socket.size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, socket.c_str());
  ASSERT_EQ(::bind(s, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const struct {
    std::string path;
    const char* said;
  } cases[] = {{pipe, "it is a pipe"},          {socket, "it is a socket, or a device without a driver"},
               {folder_, "it is a folder"},     {"/dev/zero", "it is a device"},
               {"/dev/null", "it is a device"}, {folder_ / "nothing", "No such file or directory"}};
  for (const auto& c : cases) EXPECT_EQ(refusal(c.path), std::string("the note cannot be read: ") + c.said) << c.path;
  ::close(s);
}

TEST_F(RegularFiles, WhatIsNotThereMayBeNothing) {
  EXPECT_FALSE(read_file_if_there(folder_ / "nothing", 10));
  EXPECT_FALSE(read_file_if_there(file("a", "x") + "/below", 10));
  EXPECT_EQ(read_file_if_there(folder_ / "a", 10), "x");
  EXPECT_THROW(read_file_if_there("/dev/zero", 10), Error);
}

}  // namespace
}  // namespace warpspy
