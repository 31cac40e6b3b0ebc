// Compressed files that were damaged on their way: the same matrix or a refusal, never another matrix.
#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>
#include <zlib.h>

#include <functional>
#include <iterator>

#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

using test::open;

const std::string kValid = std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/";
const std::string kText =
    "%%MatrixMarket matrix coordinate real general\n3 4 5\n1 1 1.5\n1 4 -2\n2 2 3.25e7\n3 1 12345\n3 3 0.125\n";

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// One member, with its name, as gzip writes it.
std::string gzip_member(const std::string& text) {
  z_stream z = {};
  EXPECT_EQ(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  gz_header header = {};
  char name[] = "matrix.mtx";
  header.name = reinterpret_cast<Bytef*>(name);
  deflateSetHeader(&z, &header);
  std::string out(2 * text.size() + 100, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

// kText as libarchive packs it.
std::string packed(int (*format)(archive*), int (*filter)(archive*)) {
  archive* a = archive_write_new();
  filter(a);
  format(a);
  archive_write_set_bytes_in_last_block(a, 1);
  std::string out(1 << 16, '\0');
  std::size_t used = 0;
  archive_write_open_memory(a, out.data(), out.size(), &used);
  archive_entry* e = archive_entry_new();
  archive_entry_set_pathname(e, "m/m.mtx");
  archive_entry_set_size(e, static_cast<la_int64_t>(kText.size()));
  archive_entry_set_filetype(e, AE_IFREG);
  archive_entry_set_perm(e, 0644);
  EXPECT_EQ(archive_write_header(a, e), ARCHIVE_OK) << archive_error_string(a);
  archive_write_data(a, kText.data(), kText.size());
  archive_entry_free(e);
  EXPECT_EQ(archive_write_close(a), ARCHIVE_OK);
  archive_write_free(a);
  out.resize(used);
  return out;
}

struct Form {
  const char* name;  // of the file
  std::function<std::string()> make;
};

int no_filter(archive* a) { return archive_write_add_filter_none(a); }

const Form kForms[] = {
    {"one.mtx.gz", [] { return gzip_member(kText); }},
    {"two.mtx.gz", [] { return gzip_member(kText.substr(0, 70)) + gzip_member(kText.substr(70)); }},
    {"m.tar.gz", [] { return packed(archive_write_set_format_ustar, archive_write_add_filter_gzip); }},
    {"m.mtx.bz2", [] { return packed(archive_write_set_format_raw, archive_write_add_filter_bzip2); }},
    {"m.mtx.xz", [] { return packed(archive_write_set_format_raw, archive_write_add_filter_xz); }},
    {"zstd.mtx.zst", [] { return content_of(kValid + "packed.mtx.zst"); }},
    {"m.zip", [] { return packed(archive_write_set_format_zip, no_filter); }},
};

// The matrix of the bytes, or nullptr when they are refused.
std::shared_ptr<const Csr> read_bytes(const std::string& path, const std::string& bytes) {
  write_file(path, bytes);
  try {
    return open(path, 1).csr;
  } catch (const Error&) {
    return nullptr;
  }
}

bool same(const Csr& a, const Csr& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nnz() == b.nnz() &&
         std::equal(a.row_ptr().begin(), a.row_ptr().end(), b.row_ptr().begin()) &&
         std::equal(a.values().begin(), a.values().end(), b.values().begin());
}

class Packed : public ::testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "warpspy_packed_" + std::to_string(::getpid());
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "/" + GetParam().name;
    bytes_ = GetParam().make();
    whole_ = read_bytes(path_, bytes_);
    ASSERT_TRUE(whole_) << "the undamaged file must be read";
    ASSERT_GT(whole_->nnz(), 2);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_, path_, bytes_;
  std::shared_ptr<const Csr> whole_;
};

TEST_P(Packed, NoFlippedBitMakesAnotherMatrix) {
  int refused = 0;
  for (std::size_t bit = 0; bit < 8 * bytes_.size(); ++bit) {
    std::string damaged = bytes_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto read = read_bytes(path_, damaged);
    refused += !read;
    EXPECT_TRUE(!read || same(*read, *whole_)) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
  EXPECT_GT(refused, static_cast<int>(4 * bytes_.size())) << "most of a small file is data and check sums";
}

// The last bytes of an archive may be a table of contents or padding, which a reader can do without.
TEST_P(Packed, NoCutMakesAnotherMatrix) {
  const bool archive = std::string(GetParam().name).find(".mtx") == std::string::npos;
  for (std::size_t n = 0; n < bytes_.size(); ++n) {
    const auto read = read_bytes(path_, bytes_.substr(0, n));
    EXPECT_TRUE(!read || archive) << n << " of " << bytes_.size() << " bytes";
    EXPECT_TRUE(!read || same(*read, *whole_)) << n << " of " << bytes_.size() << " bytes";
  }
}

TEST_P(Packed, OtherBytesBehindAreRefused) {
  if (std::string(GetParam().name).ends_with(".zip")) return;  // other bytes may stand before and behind a zip archive
  for (const std::string& more : {std::string("x"), std::string("\x1f\x8b", 2), std::string("\0\0\0garbage", 10)})
    EXPECT_FALSE(read_bytes(path_, bytes_ + more)) << more;
}

INSTANTIATE_TEST_SUITE_P(Forms, Packed, ::testing::ValuesIn(kForms), [](const auto& form) {
  std::string name = form.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(PackedFiles, GzipMayHavePaddingAndEmptyMembers) {
  const std::string path = ::testing::TempDir() + "warpspy_padding_" + std::to_string(::getpid()) + ".mtx.gz";
  const auto whole = read_bytes(path, gzip_member(kText));
  ASSERT_TRUE(whole);
  for (const std::string& bytes :
       {gzip_member(kText) + std::string(1000, '\0'), gzip_member("") + gzip_member(kText) + gzip_member(""),
        gzip_member(gzip_member(kText))}) {
    const auto read = read_bytes(path, bytes);
    ASSERT_TRUE(read);
    EXPECT_TRUE(same(*read, *whole));
  }
  std::filesystem::remove(path);
}

// The reason is the damage, not the nonsense that the reader found in its wake.
TEST(PackedFiles, DamageIsToldAsDamage) {
  const std::string path = ::testing::TempDir() + "warpspy_told_" + std::to_string(::getpid()) + ".mtx.gz";
  const std::string good = gzip_member(kText), bad = gzip_member(kText.substr(0, 60) + "x" + kText.substr(60));
  const std::string mixed = bad.substr(0, bad.size() - 8) + good.substr(good.size() - 8);
  write_file(path, mixed);
  try {
    open(path);
    ADD_FAILURE() << "was read";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("damaged"), std::string::npos) << e.what();
  }
  std::filesystem::remove(path);
}

TEST(PackedFiles, AMissingCheckSumIsTold) {
  const std::string path = ::testing::TempDir() + "warpspy_no_sum_" + std::to_string(::getpid()) + ".mtx.zst";
  std::string bytes = content_of(kValid + "packed.mtx.zst");
  EXPECT_TRUE(open(kValid + "packed.mtx.zst").source.warnings.empty());
  bytes[4] = static_cast<char>(bytes[4] & ~4);  // the flag, and the sum itself
  bytes.resize(bytes.size() - 4);
  write_file(path, bytes);
  const Matrix m = open(path);
  ASSERT_EQ(m.source.warnings.size(), 1u);
  EXPECT_NE(m.source.warnings[0].find("no check sum"), std::string::npos);
  std::filesystem::remove(path);
}

// Five gigabytes of zeros are known by their first ones.
TEST(PackedFiles, ZerosAreNamed) {
  const std::string path = ::testing::TempDir() + "warpspy_zeros_" + std::to_string(::getpid()) + ".mtx.gz";
  write_file(path, gzip_member(std::string(1 << 20, '\0')));
  try {
    open(path);
    ADD_FAILURE() << "was read";
  } catch (const Error& e) {
    EXPECT_NE(e.reason.find("zero bytes"), std::string::npos) << e.what();
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace warpspy
