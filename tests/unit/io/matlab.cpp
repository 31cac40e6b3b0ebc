// MATLAB files as the library itself writes them: version 5 (plain and compressed) and 7.3, which is HDF5.
#include <matio.h>
#include <rapidcheck.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "open_helper.hpp"

namespace warpspy {
namespace {

struct CloseMat {
  void operator()(mat_t* m) const { Mat_Close(m); }
};

// What MATLAB would hold: compressed columns.
struct Columns {
  std::vector<mat_uint32_t> ir, jc;
  std::vector<double> re, im;
  std::size_t rows = 0, cols = 0;
};

Columns columns_of(const Csr& a) {
  Columns c;
  c.rows = static_cast<std::size_t>(a.rows());
  c.cols = static_cast<std::size_t>(a.cols());
  for (index_t j = 0; j < a.cols(); ++j) {
    c.jc.push_back(static_cast<mat_uint32_t>(c.ir.size()));
    for (index_t i = 0; i < a.rows(); ++i) {
      const index_t k = a.find(i, j);
      if (k < 0) continue;
      c.ir.push_back(static_cast<mat_uint32_t>(i));
      c.re.push_back(a.values()[k]);
      if (a.is_complex()) c.im.push_back(a.imag()[k]);
    }
  }
  c.jc.push_back(static_cast<mat_uint32_t>(c.ir.size()));
  return c;
}

// The data stay with `c`.
matvar_t* sparse_variable(Columns& c, const char* name, mat_sparse_t& s, mat_complex_split_t& split) {
  split = {c.re.data(), c.im.data()};
  s = {};
  s.nzmax = static_cast<mat_uint32_t>(c.ir.size());
  s.ir = c.ir.data();
  s.nir = s.nzmax;
  s.jc = c.jc.data();
  s.njc = static_cast<mat_uint32_t>(c.jc.size());
  s.ndata = s.nzmax;
  s.data = c.im.empty() ? static_cast<void*>(c.re.data()) : &split;
  std::size_t dims[2] = {c.rows, c.cols};
  const int flags = MAT_F_DONT_COPY_DATA | (c.im.empty() ? 0 : MAT_F_COMPLEX);
  return Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, dims, &s, flags);
}

Csr random_csr(std::mt19937& random, index_t rows, index_t cols, bool complex) {
  Coo coo{rows, cols, {}, {}, {}, {}};
  std::vector<std::int32_t> row, col;
  for (index_t k = 0; k < rows * cols / 3; ++k) {
    row.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(rows)));
    col.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(cols)));
    coo.values.push_back(static_cast<double>(random()) / 7 - 1e8);
    if (complex) coo.imag.push_back(static_cast<double>(random()) / 3);
  }
  coo.row = Indices(std::move(row));
  coo.col = Indices(std::move(col));
  return csr_from_coo(std::move(coo));
}

struct Version {
  mat_ft format;
  matio_compression compression;
  const char* name;
};
constexpr Version kVersions[] = {{MAT_FT_MAT5, MAT_COMPRESSION_NONE, "5"},
                                 {MAT_FT_MAT5, MAT_COMPRESSION_ZLIB, "5 compressed"},
                                 {MAT_FT_MAT73, MAT_COMPRESSION_NONE, "7.3"},
                                 {MAT_FT_MAT73, MAT_COMPRESSION_ZLIB, "7.3 compressed"}};

class Matlab : public ::testing::Test {
 protected:
  void SetUp() override { path_ = ::testing::TempDir() + "warpspy_" + std::to_string(::getpid()) + ".mat"; }
  void TearDown() override { std::remove(path_.c_str()); }

  // A dense variable first, then A, as it is or in a structure that also has another sparse matrix before it.
  bool write(const Csr& a, const Version& version, const char* structure) {
    std::remove(path_.c_str());
    const std::unique_ptr<mat_t, CloseMat> file(Mat_CreateVer(path_.c_str(), nullptr, version.format));
    if (!file) return false;
    double numbers[] = {1, 2, 3};
    std::size_t dims[2] = {1, 3}, one[2] = {1, 1};
    matvar_t* dense = Mat_VarCreate("x", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, numbers, 0);
    Mat_VarWrite(file.get(), dense, version.compression);
    Mat_VarFree(dense);
    Columns c = columns_of(a), other = columns_of(csr_from_coo({1, 1, {}, {}, {}, {}}));
    mat_sparse_t s, t;
    mat_complex_split_t split, split2;
    matvar_t* v = sparse_variable(c, "A", s, split);
    if (structure) {
      const char* fields[] = {"Zeros", "A"};
      matvar_t* whole = Mat_VarCreateStruct(structure, 2, one, fields, 2);
      Mat_VarSetStructFieldByName(whole, "Zeros", 0, sparse_variable(other, "Zeros", t, split2));
      Mat_VarSetStructFieldByName(whole, "A", 0, v);
      v = whole;
    }
    const int failed = Mat_VarWrite(file.get(), v, version.compression);
    Mat_VarFree(v);
    return failed == 0;
  }
  std::string path_;
};

TEST_F(Matlab, EveryVersionReadsBackTheSame) {
  std::mt19937 random(5);
  for (const Version& version : kVersions) {
    for (const bool complex : {false, true}) {
      for (const char* structure : {static_cast<const char*>(nullptr), "Problem"}) {
        SCOPED_TRACE(std::string(version.name) + (complex ? " complex" : " real") + (structure ? " Problem.A" : " A"));
        const Csr a = random_csr(random, 13, 9, complex);
        if (!complex) {
          const Csr nothing = csr_from_coo({4, 3, {}, {}, {}, {}});
          ASSERT_TRUE(write(nothing, version, structure));
          try {
            test::expect_same(*test::open(path_).csr, nothing);
          } catch (const Error& e) {
            ADD_FAILURE() << e.what();
          }
        }
        ASSERT_TRUE(write(a, version, structure));
        try {
          const Matrix m = test::open(path_);
          test::expect_same(*m.csr, a);
          EXPECT_EQ(m.source.field, complex ? "complex" : "real");
        } catch (const Error& e) {
          ADD_FAILURE() << e.what();
        }
      }
    }
  }
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Cut anywhere, or one byte changed: refused, or read as it was. Plain version 5 has no check sums: not asked of it.
// Nothing of what the libraries say about it is seen.
TEST_F(Matlab, DamageIsNoticed) {
  ::testing::internal::CaptureStderr();
  std::mt19937 random(7);
  const Csr a = random_csr(random, 30, 20, false);
  for (const Version& version : kVersions) {
    SCOPED_TRACE(version.name);
    ASSERT_TRUE(write(a, version, nullptr));
    const std::string whole = bytes_of(path_);
    const bool summed = version.compression == MAT_COMPRESSION_ZLIB && version.format == MAT_FT_MAT5;
    for (int round = 0; round < 60; ++round) {
      const bool cut = !summed || round % 2 == 0;
      std::string broken = whole;
      if (cut)
        broken.resize(128 + random() % (whole.size() - 136));
      else
        broken[128 + random() % (whole.size() - 128)] ^= static_cast<char>(1 + random() % 255);
      std::ofstream(path_, std::ios::binary) << broken;
      try {
        const Matrix m = test::open(path_);
        test::expect_same(*m.csr, a);
      } catch (const Error& e) {
        EXPECT_TRUE(e.where.starts_with(path_)) << e.what();
        EXPECT_FALSE(e.remedy.empty());
        EXPECT_EQ(e.reason.find("HDF5"), std::string::npos) << e.reason;
      }
    }
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// An array of structures without elements has the names of fields, but no fields.
TEST_F(Matlab, EmptyStructuresStandBeside) {
  std::mt19937 random(3);
  const Csr a = random_csr(random, 13, 9, false);
  for (const Version& version : kVersions) {
    for (const bool before : {true, false}) {
      SCOPED_TRACE(std::string(version.name) + (before ? " before" : " after"));
      std::remove(path_.c_str());
      {
        const std::unique_ptr<mat_t, CloseMat> file(Mat_CreateVer(path_.c_str(), nullptr, version.format));
        ASSERT_TRUE(file);
        const char* fields[] = {"a", "b"};
        std::size_t dims[2] = {0, 0};
        matvar_t* nothing = Mat_VarCreateStruct("s", 2, dims, fields, 2);
        Columns c = columns_of(a);
        mat_sparse_t s;
        mat_complex_split_t split;
        matvar_t* matrix = sparse_variable(c, "A", s, split);
        if (before) Mat_VarWrite(file.get(), nothing, version.compression);
        Mat_VarWrite(file.get(), matrix, version.compression);
        if (!before) Mat_VarWrite(file.get(), nothing, version.compression);
        Mat_VarFree(nothing);
        Mat_VarFree(matrix);
      }
      try {
        test::expect_same(*test::open(path_).csr, a);
      } catch (const Error& e) {
        ADD_FAILURE() << e.what();
      }
    }
  }
}

// The library needs a file: what is packed is unpacked aside.
TEST_F(Matlab, PackedFiles) {
  std::mt19937 random(9);
  const Csr a = random_csr(random, 13, 9, false);
  const std::string packed = path_ + ".gz";
  for (const Version& version : kVersions) {
    SCOPED_TRACE(version.name);
    ASSERT_TRUE(write(a, version, "Problem"));
    const std::string bytes = bytes_of(path_);
    const gzFile to = ::gzopen(packed.c_str(), "wb");
    ::gzwrite(to, bytes.data(), static_cast<unsigned>(bytes.size()));
    ::gzclose(to);
    test::expect_same(*test::open(packed).csr, a);
  }
  std::remove(packed.c_str());
}

}  // namespace
}  // namespace warpspy
