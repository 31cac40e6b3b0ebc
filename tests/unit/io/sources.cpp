// What is no file: pipes, devices, sockets; and options behind a name.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "core/io/reader.hpp"
#include "core/io/text.hpp"
#include "core/io/words.hpp"
#include "open_helper.hpp"

namespace warpspy {
namespace {

using test::open;

const std::string kText = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n";

std::string scratch(const std::string& name) {
  return ::testing::TempDir() + "warpspy_sources_" + std::to_string(::getpid()) + "_" + name;
}

std::string refusal_of(const std::string& path) {
  try {
    open(path);
  } catch (const Error& e) {
    EXPECT_TRUE(e.where.starts_with(path)) << e.where;
    EXPECT_NE(e.remedy, "") << e.what();
    return e.reason;
  }
  return "was read";
}

TEST(Sources, DevicesAndSocketsAreRefused) {
  EXPECT_EQ(refusal_of("/dev/null"), "this is a device, not a file");
  EXPECT_EQ(refusal_of("/dev/zero"), "this is a device, not a file");
  const std::string path = scratch("socket");
  const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, path.c_str());
  ASSERT_EQ(::bind(s, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_NE(refusal_of(path).find("socket"), std::string::npos);
  ::close(s);
  std::filesystem::remove(path);
}

TEST(Sources, APipeWithoutAWriterIsRefused) {
  const std::string path = scratch("fifo");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(path), "this is a pipe into which nobody writes");
  std::filesystem::remove(path);
}

// Nobody has to wait for who says nothing.
TEST(Sources, CancelEndsTheWaitForAPipe) {
  const std::string path = scratch("silent");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  for (const bool writer : {false, true}) {
    const int end = writer ? ::open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
    if (writer) {
      ASSERT_EQ(::write(end, "%%Mat", 5), 5);
    }
    Progress progress;
    progress.cancel();
    EXPECT_THROW(open_matrix(path, progress), Cancelled) << writer;
    if (end >= 0) ::close(end);
  }
  std::filesystem::remove(path);
}

TEST(Sources, APipeWithAWriterIsRead) {
  const std::string path = scratch("written");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(path);  // waits for the reader
    out << kText.substr(0, 50) << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    out << kText.substr(50);
  });
  const Matrix m = open(path);
  writer.join();
  EXPECT_EQ(m.csr->nnz(), 1);
  std::filesystem::remove(path);
}

TEST(Sources, OptionsBehindTheName) {
  const FilePlace plain = place_of("dir/a.mtx"), some = place_of("a.txt?base=1&undirected=no&format=edges");
  EXPECT_EQ(plain.path, "dir/a.mtx");
  EXPECT_EQ(plain.options, ReadOptions{});
  EXPECT_EQ(some.path, "a.txt");
  EXPECT_EQ(some.options, (ReadOptions{"edges", 1, false, {}, {}}));
  EXPECT_EQ(place_of("what?.mtx").path, "what?.mtx") << "no option";
  for (const char* wrong : {"a.txt?bass=1", "a.txt?base=2", "a.txt?undirected=", "a.txt?format=csr", "a.txt?=1"}) {
    try {
      place_of(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& e) {
      EXPECT_NE(e.remedy, "") << wrong;
    }
  }
  const std::string path = scratch("a?base=1");
  std::ofstream(path) << kText;
  EXPECT_EQ(place_of(path).path, path) << "the file itself is named so";
  EXPECT_EQ(open(path).csr->nnz(), 1);
  std::filesystem::remove(path);
}

TEST(Sources, LineNumbersCountWhatCameInChunks) {
  std::string text;
  for (int k = 0; k < 1000; ++k) text += std::string(static_cast<std::size_t>(k % 700), 'x') + "\n";
  text += std::string(std::size_t{17} << 20, 'y');
  test::TextSource source(text);
  TextStream stream(source, 1 << 14);
  std::string_view line;
  ASSERT_TRUE(stream.line(line));
  std::vector<char> chunk;
  try {
    while (stream.chunk(chunk)) continue;
    ADD_FAILURE() << "the long line was taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.where, "test.mtx:1001");
  }
}

TEST(Sources, NamesAreLegible) {
  EXPECT_EQ(legible("gr\xc3\xb6\xc3\x9f"
                    "e.mtx"),
            "gr\xc3\xb6\xc3\x9f"
            "e.mtx");
  EXPECT_EQ(legible("a\xff\xc3.mtx"), "a??.mtx");
  EXPECT_EQ(legible("\x1b[2J\n"), "?[2J?");
  EXPECT_EQ(legible("x\xe2\x82"), "x??");
}

}  // namespace
}  // namespace warpspy
