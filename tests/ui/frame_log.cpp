#include "ui/window/frame_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy::ui {
namespace {

TEST(FrameLog, HasALinePerFrameWithWhatWasUnderWay) {
  const std::string path = testing::TempDir() + "/warpspy_frames_" + std::to_string(getpid()) + ".csv";
  {
    FrameLog log(path);
    const std::vector<JobPtr> jobs = {std::make_shared<Job>(1, "Opening a", JobQueue::load),
                                      std::make_shared<Job>(2, "Running b", JobQueue::gpu)};
    for (const auto& now : {jobs, std::vector<JobPtr>{}}) log.begin(), log.built(), log.painted(), log.shown(now);
    log.begin(), log.built(), log.shown({});
  }
  std::ifstream in(path);
  std::string title, first, second, not_painted;
  std::getline(in, title), std::getline(in, first), std::getline(in, second), std::getline(in, not_painted);
  EXPECT_EQ(title, "at_ms,build_ms,paint_ms,show_ms,frame_ms,cpu_ms,jobs");
  EXPECT_TRUE(first.ends_with(",Opening a; Running b")) << first;
  EXPECT_TRUE(second.ends_with(",")) << second;
  EXPECT_EQ(second.find(",,"), std::string::npos) << second;
  EXPECT_NE(not_painted.find(",,,"), std::string::npos) << "nothing new: neither painted nor shown: " << not_painted;
  std::filesystem::remove(path);
}

TEST(FrameLog, SaysWhereItCannotWrite) { EXPECT_THROW(FrameLog("/no/such/folder/frames.csv"), Error); }

}  // namespace
}  // namespace warpspy::ui
