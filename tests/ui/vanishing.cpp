// Files that vanish: since they were listed, or while they are read. What is open stays so, and the error says which.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

namespace fs = std::filesystem;

constexpr const char* kGood = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 3 1\n";
constexpr const char* kHalf = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n";

class Vanishing : public ::testing::Test {
 protected:
  Vanishing() {
    fs::remove_all(root);
    fs::create_directories(root);
    for (const char* name : {"a.mtx", "b.mtx", "c.mtx"}) put(name, kGood);
  }
  ~Vanishing() override { fs::remove_all(root); }
  void put(const std::string& name, const std::string& text) const { std::ofstream(root / name) << text; }
  std::string path(const std::string& name) const { return (root / name).string(); }
  const OpenMatrix* matrix(const std::string& name) const {
    for (const OpenMatrix& m : h.state().matrices)
      if (m.source == path(name)) return &m;
    return nullptr;
  }
  bool ready(const std::string& name) const {
    const OpenMatrix* m = matrix(name);
    return m && m->status == OpenMatrix::Status::ready;
  }
  std::string failure(const std::string& name) const {
    const OpenMatrix* m = matrix(name);
    return m && m->status == OpenMatrix::Status::failed ? m->failure.one_line() : "";
  }

  const fs::path root = fs::path(::testing::TempDir()) / ("warpspy_vanishing_" + std::to_string(getpid()));
  Harness h;
};

TEST_F(Vanishing, SinceTheyWereListed) {
  h.session.apply(ShowOpen{OpenWay::file});
  h.settle();  // the dialog lists a folder of its own first
  h.session.apply(BrowseFolder{root.string()});
  h.settle();
  ASSERT_EQ(h.state().listing.entries.size(), 3u);
  fs::remove(root / "b.mtx");
  h.session.apply(OpenSources{{path("a.mtx"), path("b.mtx"), path("c.mtx")}});
  h.settle();
  EXPECT_TRUE(ready("a.mtx"));
  EXPECT_TRUE(ready("c.mtx"));
  EXPECT_NE(failure("b.mtx").find("No such file"), std::string::npos) << failure("b.mtx");
  EXPECT_NE(failure("b.mtx").find("b.mtx"), std::string::npos) << "the error names the file";
  EXPECT_TRUE(h.shows("not opened"));
  EXPECT_TRUE(h.state().has_matrix()) << "what opened is shown";
}

// A pipe stands for a file that ends before it should: the other end decides when.
TEST_F(Vanishing, WhileTheyAreRead) {
  h.open(path("a.mtx"));
  const MatrixId first = h.state().selected;
  h.session.apply(StartRun{});
  h.settle();
  ASSERT_EQ(mkfifo(path("cut.mtx").c_str(), 0600), 0);
  const int other_end = ::open(path("cut.mtx").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(other_end, 0);
  const std::string half = kHalf;
  ASSERT_EQ(::write(other_end, half.data(), half.size()), static_cast<ssize_t>(half.size()));
  h.session.apply(OpenSource{path("cut.mtx")});
  int unread = 1;
  while (unread > 0) {
    h.frames(1);
    ASSERT_EQ(ioctl(other_end, FIONREAD, &unread), 0);
    ASSERT_EQ(failure("cut.mtx"), "") << "it is being read";
  }
  fs::remove(root / "cut.mtx");
  ::close(other_end);
  h.settle();
  EXPECT_NE(failure("cut.mtx").find("cut.mtx:3: the file ends after 1 of 2 entries"), std::string::npos)
      << failure("cut.mtx");
  EXPECT_TRUE(ready("a.mtx"));
  EXPECT_EQ(h.state().runs.all().size(), 1u) << "nothing is lost";
  h.session.apply(SelectMatrix{first});
  h.settle();
  EXPECT_TRUE(h.shows("3 \xC3\x97 3, 2 nnz"));
  put("cut.mtx", kGood);
  h.open(path("cut.mtx"));
  EXPECT_TRUE(ready("cut.mtx")) << "once it is whole it opens";
}

TEST_F(Vanishing, AFolderThatIsGone) {
  h.session.apply(ShowOpen{OpenWay::file});
  h.session.apply(BrowseFolder{root.string()});
  h.settle();
  fs::remove_all(root);
  h.session.apply(BrowseFolder{root.string()});
  h.settle();
  EXPECT_FALSE(h.state().listing.problem.empty());
  EXPECT_TRUE(h.shows(h.state().listing.problem));
  EXPECT_EQ(h.state().dialog, "open");
}

}  // namespace
