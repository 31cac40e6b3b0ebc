// The table of readers: names, content, and what a refusal says.
#include <unistd.h>

#include <algorithm>

#include "core/io/reader.hpp"
#include "core/io/words.hpp"
#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

const std::string kValid = std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/";

TEST(Readers, NamesToOffer) {
  for (const char* yes : {"a.mtx", "A.MTX", "a.mtx.gz", "b.rb.xz", "c.RUA", "d.mat", "e.npz", "f.tar.gz", "f.tar.zst",
                          "g.tgz", "h.zip", "i.tar", "dir/j.psa.bz2", "k.graph", "l.el", "m.txt", "n.txt.gz", "o.csv"})
    EXPECT_TRUE(has_matrix_name(yes)) << yes;
  for (const char* no : {"", "mtx", "a.gz", "readme", "a.mtx.doc", "a.npy"}) EXPECT_FALSE(has_matrix_name(no)) << no;
}

TEST(Readers, StemsLoseEveryExtension) {
  EXPECT_EQ(stem_of("dir/west0479.mtx.gz"), "west0479");
  EXPECT_EQ(stem_of("west0479.RUA"), "west0479");
  EXPECT_EQ(stem_of("a.b.rb.xz"), "a.b");
  EXPECT_EQ(stem_of("a.zip"), "a");
  EXPECT_EQ(stem_of("a.tar.zst"), "a");
  EXPECT_EQ(stem_of(".mtx"), ".mtx");
}

// Every format is named where a file is refused, and nothing else is.
TEST(Readers, TheRefusalListsTheTable) {
  try {
    test::open(std::string(WARPSPY_SOURCE_DIR) + "/tests/unit/io/readers.cpp");
    FAIL() << "was read";
  } catch (const Error& e) {
    for (const auto& reader : matrix_readers()) {
      EXPECT_NE(e.remedy.find(reader.label), std::string::npos) << e.remedy;
      EXPECT_NE(e.remedy.find(words_of(reader.extensions).front()), std::string::npos) << e.remedy;
    }
  }
}

// A reader without a file that it reads, and one that it refuses, is held to nothing.
TEST(Readers, EachHasFilesOfItsOwnInTheData) {
  const std::string data = std::string(WARPSPY_SOURCE_DIR) + "/tests/data/";
  for (const auto& reader : matrix_readers())
    for (const char* folder : {"valid", "invalid"}) {
      const auto files = test::table(data + folder + "/EXPECT.tsv");
      EXPECT_TRUE(std::ranges::any_of(files,
                                      [&](const auto& row) {
                                        return std::ranges::any_of(words_of(reader.extensions), [&](auto ending) {
                                          return ends_with_any_case(row.at(0), ending);
                                        });
                                      }))
          << reader.id << ": none in tests/data/" << folder;
    }
}

// One reader each, and the same one whatever the name: the content decides, unless it is nothing but numbers.
TEST(Readers, ContentDecides) {
  const std::string folder = ::testing::TempDir();
  for (const auto& entry : std::filesystem::directory_iterator(kValid)) {
    const std::string name = entry.path().filename();
    SCOPED_TRACE(name);
    std::ifstream in(entry.path(), std::ios::binary);
    std::string head(kHeadBytes, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    EXPECT_LE(std::ranges::count_if(matrix_readers(), [&](const auto& r) { return !r.by_name && r.sniff(head); }), 1);
    if (name == "EXPECT.tsv") continue;
    const std::string renamed = folder + "warpspy_renamed_" + std::to_string(::getpid()) + ".txt";
    std::filesystem::copy_file(entry.path(), renamed, std::filesystem::copy_options::overwrite_existing);
    // An archive of several members is told by its own name which one is meant; the others need none.
    if (name == "boeing_in.zip") continue;
    if (const MatrixReader* reader = recognise(head, name); reader && reader->by_name) continue;
    try {
      test::expect_same(*test::open(renamed).csr, *test::open(entry.path()).csr);
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
    std::filesystem::remove(renamed);
  }
}

}  // namespace
}  // namespace warpspy
