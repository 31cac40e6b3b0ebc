// MATLAB 5 files as they may be, valid and damaged: whatever stands in one, it is the matrix that was written or a
// refusal.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/matlab.hpp"
#include "matlab_bytes.hpp"
#include "open_helper.hpp"

namespace warpspy {
namespace {

using namespace test;

constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

Matrix read(const std::string& bytes) {
  TextSource source(bytes, "test.mat");
  Progress progress;
  return read_matlab(source, "test.mat", {kMemory}, progress);
}

// The reason, or nothing where it was read.
std::string refusal(const std::string& bytes) {
  try {
    read(bytes);
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.where, "test.mat");
    EXPECT_FALSE(e.remedy.empty());
    return e.reason;
  }
}

Csr the_matrix() { return {3, 2, {0, 1, 2, 3}, Indices(std::vector<std::int32_t>{0, 0, 1}), {1, 2, 3}}; }

void expect_the_matrix(const std::string& bytes) {
  try {
    expect_same(*read(bytes).csr, the_matrix());
  } catch (const Error& e) {
    ADD_FAILURE() << e.what();
  }
}

const std::string kNumber = element(kF64, raw(std::vector<double>{7}));
std::string dense(const std::string& name) { return variable(kDoubleClass, {1, 1}, name, kNumber); }
std::string structure(const std::string& name, std::vector<std::int32_t> dims, const std::string& elements) {
  return variable(kStructClass, dims, name, field_names({"a", "A"}) + elements);
}

TEST(Matlab5, WhatMayStandBesideTheMatrix) {
  const std::string others[] = {
      dense("x"),
      structure("s", {0, 0}, ""),
      structure("s", {0, 1}, ""),
      structure("s", {1, 1}, dense("") + dense("")),
      structure("s", {2, 1}, dense("") + dense("") + element(kMat, "") + dense("")),
      structure("s", {1, 1}, structure("", {0, 0}, "") + variable(kCellClass, {0, 0}, "", "")),
      variable(kStructClass, {1, 1}, "none", small_element(kI32, raw(std::vector<std::int32_t>{8})) + element(kI8, "")),
      variable(kStructClass, {3, 1}, "none", small_element(kI32, raw(std::vector<std::int32_t>{1})) + element(kI8, "")),
      variable(kCellClass, {2, 1}, "c", dense("") + structure("", {0, 0}, "")),
      variable(kObjectClass, {1, 1}, "o", "whatever"),
      variable(kFunctionClass, {1, 1}, "f", dense("")),
      element(kMat, element(kU32, raw(std::vector<std::uint32_t>{kOpaqueClass, 0})) + element(kI8, "table") +
                        element(kI8, "MCOS") + dense("")),
      variable(4, {1, 3}, "text", element(16, "abc")),
      variable(kDoubleClass, {0, 0}, "nothing", ""),
  };
  for (const auto& other : others) {
    SCOPED_TRACE(&other - others);
    expect_the_matrix(mat_file(other + sparse("A")));
    expect_the_matrix(mat_file(sparse("A") + other));
    expect_the_matrix(mat_file(compressed(other) + compressed(sparse("A"))));
    expect_the_matrix(mat_file(compressed(sparse("A")) + compressed(other)));
    EXPECT_NE(refusal(mat_file(other)).find("has no sparse matrix (it has '"), std::string::npos)
        << refusal(mat_file(other));
  }
  expect_the_matrix(mat_file(sparse("A") + std::string(64, '\0')));
}

TEST(Matlab5, TheMatrixThatIsMeant) {
  const std::string one = variable(
      kSparseClass, {1, 1}, "one",
      element(kI32, raw(std::vector<std::int32_t>{0})) + element(kI32, raw(std::vector<std::int32_t>{0, 1})) + kNumber);
  expect_the_matrix(mat_file(sparse("A") + one));
  expect_the_matrix(mat_file(structure("s", {1, 1}, one + one) + sparse("A")));
  expect_the_matrix(mat_file(one + structure("Problem", {1, 1}, one + sparse("")) + one));
  expect_the_matrix(mat_file(dense("x") + structure("s", {1, 1}, dense("") + sparse(""))));
  // Of an array of structures, the first.
  expect_the_matrix(mat_file(structure("Problem", {1, 2}, dense("") + sparse("") + one + one)));
}

TEST(Matlab5, OtherTypesAndRoom) {
  const auto with = [](const std::string& parts, std::uint32_t flags = 0) {
    return mat_file(variable(kSparseClass | flags, {3, 2}, "A", parts));
  };
  const std::string row = element(kI32, raw(std::vector<std::int32_t>{0, 1, 2})),
                    pointer = element(kI32, raw(std::vector<std::int32_t>{0, 2, 3})),
                    value = element(kF64, raw(std::vector<double>{1, 2, 3}));
  expect_the_matrix(with(row + pointer + small_element(kU8, "\1\2\3")));
  expect_the_matrix(with(small_element(kU8, std::string("\0\1\2", 3)) + small_element(kI8, std::string("\0\2\3", 3)) +
                         element(kI16, raw(std::vector<std::int16_t>{1, 2, 3}))));
  // Room for more entries than there are.
  expect_the_matrix(with(element(kI32, raw(std::vector<std::int32_t>{0, 1, 2, 99, -1 & 0x7fff})) + pointer +
                         element(kF64, raw(std::vector<double>{1, 2, 3, 4}))));
  const Matrix logical = read(with(row + pointer + small_element(kU8, "\1\1\1"), 0x200));
  EXPECT_EQ(logical.source.field, "pattern");
  const Matrix complex = read(with(row + pointer + value + value, 0x800));
  EXPECT_EQ(complex.source.field, "complex");
  EXPECT_EQ(complex.csr->imag()[2], 3);
  // Numbers in the other byte order.
  std::string other = mat_file("");
  other.replace(124, 4, std::string("\1\0MI", 4));
  const auto swapped = [](std::string bytes, std::size_t width) {
    for (std::size_t k = 0; k < bytes.size(); k += width)
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(k),
                   bytes.begin() + static_cast<std::ptrdiff_t>(k + width));
    return bytes;
  };
  const std::string a = sparse("A");
  std::string b = swapped(a, 4);
  b.replace(48, 4, "A\0\0\0", 4);  // the name
  b.replace(112, 24, swapped(a.substr(112, 24), 8));
  expect_the_matrix(other + b);
}

TEST(Matlab5, WhatDoesNotFitTogether) {
  const auto says = [](const std::string& bytes, const std::string& part) {
    const std::string reason = refusal(bytes);
    EXPECT_NE(reason.find(part), std::string::npos) << "'" << reason << "' and not: " << part;
  };
  const auto i32 = [](std::vector<std::int32_t> v) { return element(kI32, raw(v)); };
  const auto with = [](const std::string& parts, std::vector<std::int32_t> dims = {3, 2}, std::uint32_t flags = 0) {
    return mat_file(variable(kSparseClass | flags, dims, "A", parts));
  };
  const std::string row = i32({0, 1, 2}), pointer = i32({0, 2, 3}),
                    value = element(kF64, raw(std::vector<double>{1, 2, 3}));
  says(with(i32({0, 1, 3}) + pointer + value), "a row index is out of range");
  says(with(i32({0, -1, 2}) + pointer + value), "an index is negative");
  says(with(row + i32({1, 2, 3}) + value), "first column pointer is not 0");
  says(with(row + i32({0, 2, 1}) + value), "column pointers decrease");
  says(with(row + i32({0, 2, 4}) + value), "fewer row indices");
  says(with(row + i32({0, 2}) + value), "too few column pointers");
  says(with(row + i32({0, 2, 3, 3}) + value), "too many column pointers");
  says(with(row + pointer + element(kF64, raw(std::vector<double>{1, 2}))), "fewer values");
  says(with(row + pointer), "fewer values");
  says(with(row + pointer + value, {3, 2}, 0x800), "fewer imaginary parts");
  says(with(row + pointer + value + value), "bytes behind its parts");
  says(with(value + pointer + value), "no whole numbers");
  says(with(row + pointer + element(77, "12345678")), "unknown type");
  says(with(row + pointer + element(kF64, "1234567")), "ends within a number");
  says(with(row + pointer + value, {3, -2}), "dimensions are damaged");
  says(with(row + pointer + value, {3, 2, 1}), "not two dimensions");
  says(with(row + pointer + value, {1 << 30, 2}), "of memory, but");
  // A hundred bytes that ask for gigabytes.
  for (const std::int32_t n : {0x8001, INT32_MAX}) {
    says(mat_file(structure("Problem", {n, n}, sparse(""))), "fewer elements than its dimensions say");
    says(mat_file(variable(kCellClass, {n, 1}, "c", "")), "fewer elements than its dimensions say");
  }
  says(mat_file(structure("Problem", {0, 0}, sparse(""))), "bytes behind its parts");
  std::string deep = sparse("");
  for (int k = 0; k < 1000; ++k) deep = variable(kCellClass, {1, 1}, "", deep);
  says(mat_file(deep), "nested too deeply");
  says(mat_file(compressed(dense("x") + std::string(1000, '\0'))), "unpacks to more than it says");
  says(mat_file(element(kZlib, deflated(dense("x")) + "more")), "behind its compressed data");
  says(mat_file(element(99, "what is this")), "no variable");
  says(mat_file("").substr(0, 100), "within the header");
}

// A file of each kind, and where its variables end.
struct Sample {
  std::string bytes;
  std::vector<std::size_t> ends;
};
Sample sample(bool packed) {
  Sample s{mat_file(""), {128}};
  for (const auto& v : {dense("x"), structure("Problem", {1, 1}, dense("") + sparse("")), dense("y")}) {
    s.bytes += packed ? compressed(v) : v;
    s.ends.push_back(s.bytes.size());
  }
  return s;
}

// Cut at any byte, a file is refused unless it ends where a variable does.
TEST(Matlab5, EveryCut) {
  for (const bool packed : {false, true}) {
    const Sample whole = sample(packed);
    expect_the_matrix(whole.bytes);
    for (std::size_t n = 0; n < whole.bytes.size(); ++n) {
      SCOPED_TRACE(n);
      const std::string cut = whole.bytes.substr(0, n);
      if (n == whole.ends[2])
        expect_the_matrix(cut);
      else
        EXPECT_FALSE(refusal(cut).empty());
    }
  }
}

// What is cut inside the compressed data, with a checksum that agrees, is cut as well: nothing is made up for it.
TEST(Matlab5, EveryCutOfWhatIsCompressed) {
  const std::string inner = structure("Problem", {1, 1}, dense("") + sparse(""));
  for (std::size_t n = 0; n < inner.size(); ++n)
    EXPECT_FALSE(refusal(mat_file(compressed(inner.substr(0, n)))).empty()) << n;
}

// Every bit of compressed variables is under a checksum: the same matrix, or a refusal.
TEST(Matlab5, EveryBitOfCompressedVariables) {
  const std::string whole = sample(true).bytes;
  for (std::size_t bit = 128 * 8; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      const Matrix m = read(flipped);
      SCOPED_TRACE(bit);
      expect_same(*m.csr, the_matrix());
    } catch (const Error& e) {
      EXPECT_EQ(e.where, "test.mat");
    }
  }
}

// Without one, or with one that was made for the damage, another matrix may come out; it never has more entries than
// the file, and takes no more memory.
TEST(Matlab5, EveryBitWithoutChecksum) {
  const std::string inner = structure("Problem", {1, 1}, dense("") + sparse(""));
  for (std::size_t bit = 0; bit < inner.size() * 8; ++bit) {
    std::string flipped = inner;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    for (const bool packed : {false, true}) {
      try {
        EXPECT_LE(read(mat_file(packed ? compressed(flipped) : flipped)).csr->nnz(), 3) << bit;
      } catch (const Error& e) {
        EXPECT_EQ(e.where, "test.mat");
      }
    }
  }
}

RC_GTEST_PROP(Matlab5, NoiseIsRefused, ()) {
  const auto noise = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  const bool padding = noise.find_first_not_of('\0') == std::string::npos;
  const std::string reason = refusal(mat_file(noise));
  RC_ASSERT(reason.empty() == false);
  RC_ASSERT(padding == (reason.find("no variable that can be read") != std::string::npos));
}

}  // namespace
}  // namespace warpspy
