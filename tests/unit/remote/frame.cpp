// The frames: what is one, what is none, and pieces of any size.
#include "profiling/remote/frame.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy::wire {
namespace {

std::string reason_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::string conversation() {
  std::string body("\0\n\xF5wse\xF5", 7);
  return bytes_of({Kind::hello, 0, "first"}) + bytes_of({Kind::ping, 0, {}}) + bytes_of({Kind::reply, 7, body});
}

TEST(EngineFrame, ComesInPiecesOfAnySize) {
  const std::string bytes = "Welcome!\n" + conversation();
  for (std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{21}, bytes.size()}) {
    FrameReader reader;
    std::vector<Frame> got;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.add(std::string_view(bytes).substr(at, piece));
      while (auto f = reader.next()) got.push_back(*f);
    }
    ASSERT_EQ(got.size(), 3u) << piece;
    EXPECT_EQ(got[0].body, "first");
    EXPECT_EQ(got[1].kind, Kind::ping);
    EXPECT_EQ(got[2].kind, Kind::reply);
    EXPECT_EQ(got[2].call, 7u);
    EXPECT_EQ(got[2].body, std::string("\0\n\xF5wse\xF5", 7));
    EXPECT_EQ(reader.skipped(), "Welcome!\n");
  }
}

TEST(EngineFrame, OfAnUnfinishedOneNothingIsTold) {
  const std::string bytes = bytes_of({Kind::reply, 1, "body"});
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    FrameReader reader;
    reader.add(std::string_view(bytes).substr(0, n));
    EXPECT_FALSE(reader.next()) << n;
  }
}

TEST(EngineFrame, AGreetingHasAnEnd) {
  FrameReader reader;
  const auto greet = [&] {
    for (int k = 0; k < 10'000; ++k) reader.add("You have mail. "), reader.next();
  };
  EXPECT_NE(reason_of(greet).find("no engine of Warpspy"), std::string::npos);
  EXPECT_LE(reader.skipped().size(), 4096u);
}

TEST(EngineFrame, BehindTheFirstOneThereIsNothingElse) {
  FrameReader reader;
  reader.add(bytes_of({Kind::hello, 0, "first"}) + "printf!");
  EXPECT_TRUE(reader.next());
  EXPECT_NE(reason_of([&] { reader.next(); }).find("no message"), std::string::npos);
}

TEST(EngineFrame, AnotherProtocolIsNamed) {
  std::string hello = bytes_of({Kind::hello, 0, "new"}), call = bytes_of({Kind::run, 1, "new"});
  hello[4] = call[4] = 9;
  FrameReader greeted, called;
  greeted.add(hello), called.add(call);
  EXPECT_EQ(greeted.next()->version, 9);
  EXPECT_EQ(reason_of([&] { called.next(); }),
            "the other end speaks protocol 9, this Warpspy speaks 5; install the same version at both ends");
}

TEST(EngineFrame, WhatIsDamagedIsRefused) {
  std::string kind = bytes_of({Kind::run, 1, "x"}), length = kind, word = bytes_of({Kind::progress, 1, "x"});
  kind[6] = 77;
  length[19] = '\x7F';  // nearly 2 GiB
  word[19] = '\x02';    // 32 MiB of a progress
  for (const std::string& bytes : {kind, length, word}) {
    FrameReader reader;
    reader.add(bytes);
    EXPECT_NE(reason_of([&] { reader.next(); }).find("damaged"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpspy::wire
