// .npz both ways: our own reader, and NumPy and SciPy where they are installed.
#include "core/io/npz.hpp"

#include <rapidcheck.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "core/io/npy.hpp"
#include "open_helper.hpp"
#include "tests/paths.hpp"

namespace warpspy {
namespace {

std::string temporary(const std::string& name) {
  return ::testing::TempDir() + "warpspy_" + std::to_string(::getpid()) + "_" + name;
}

// Debian's own Python, since others may lack NumPy; empty when there is none with SciPy.
std::string python() {
  static const std::string found = [] {
    for (const char* candidate : {"/usr/bin/python3", "python3"})
      if (std::system((std::string(candidate) + " -c 'import numpy, scipy.sparse' 2>/dev/null").c_str()) == 0)
        return std::string(candidate);
    return std::string();
  }();
  return found;
}

// Runs statements; `import numpy as np, scipy.sparse as sp` comes first. True when they end without an exception.
bool runs(const std::string& statements) {
  const std::string script = temporary("script.py");
  std::ofstream(script) << "import numpy as np, scipy.sparse as sp\n" << statements;
  const bool ok = std::system((python() + " " + script).c_str()) == 0;
  std::remove(script.c_str());
  return ok;
}

Csr random_csr(bool complex) {
  Coo coo;
  coo.rows = *rc::gen::inRange<index_t>(1, 20);
  coo.cols = *rc::gen::inRange<index_t>(1, 20);
  const auto n = *rc::gen::inRange<std::size_t>(0, 60);
  std::vector<std::int32_t> row, col;
  const auto value = [] {
    const double v = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>() * 0x9E3779B97F4A7C15u);
    return std::isnan(v) ? 1.0 : v;
  };
  for (std::size_t k = 0; k < n; ++k) {
    row.push_back(static_cast<std::int32_t>(*rc::gen::inRange<index_t>(0, coo.rows)));
    col.push_back(static_cast<std::int32_t>(*rc::gen::inRange<index_t>(0, coo.cols)));
    coo.values.push_back(value());
    if (complex) coo.imag.push_back(value());
  }
  coo.row = Indices(std::move(row));
  coo.col = Indices(std::move(col));
  return csr_from_coo(std::move(coo));
}

TEST(Npz, WriteThenReadIsTheSame) {
  const std::string path = temporary("round.npz");
  EXPECT_TRUE(rc::check([&] {
    const Csr a = random_csr(*rc::gen::arbitrary<bool>());
    write_scipy_npz(a, path, {.compress = *rc::gen::arbitrary<bool>()});
    const Matrix m = test::open(path);
    RC_ASSERT(m.csr->rows() == a.rows());
    RC_ASSERT(m.csr->cols() == a.cols());
    RC_ASSERT(std::equal(a.row_ptr().begin(), a.row_ptr().end(), m.csr->row_ptr().begin()));
    for (index_t k = 0; k < a.nnz(); ++k) {
      RC_ASSERT(m.csr->columns()[k] == a.columns()[k]);
      RC_ASSERT(m.csr->values()[k] == a.values()[k]);
      if (a.is_complex()) RC_ASSERT(m.csr->imag()[k] == a.imag()[k]);
    }
  }));
  std::remove(path.c_str());
}

TEST(Npz, IndicesOf64Bits) {
  const std::string path = temporary("wide.npz");
  const index_t wide = index_t{1} << 33;
  const Csr a = csr_from_coo({2,
                              wide,
                              Indices(std::vector<std::int64_t>{0, 1}),
                              Indices(std::vector<std::int64_t>{wide - 1, 7}),
                              {1.5, 2.5},
                              {}});
  write_scipy_npz(a, path);
  test::expect_same(*test::open(path).csr, a);
  std::remove(path.c_str());
}

TEST(Npz, NumpyReadsEveryType) {
  if (python().empty()) GTEST_SKIP() << "no Python with NumPy and SciPy";
  const std::string path = temporary("types.npz");
  const std::vector<float> f4 = {1.5f, -2};
  const std::vector<double> f8 = {1e300, -0.0, 3};
  const std::vector<std::int32_t> i4 = {1, -2, 3, 4, 5, 6};
  const std::vector<std::int64_t> i8 = {index_t{1} << 40};
  const std::vector<std::uint16_t> u2 = {65535, 1};
  const std::vector<std::uint8_t> u1 = {255};
  const std::vector<std::complex<double>> c16 = {{1, -2}};
  const std::string text = "sell";
  const double one = 0.25;
  const bool yes = true;
  const NamedArray arrays[] = {array_of("f4", std::span(f4)),
                               array_of("f8", std::span(f8)),
                               array_of("i4", std::span(i4), {2, 3}),
                               array_of("i8", std::span(i8)),
                               array_of("u2", std::span(u2)),
                               array_of("u1", std::span(u1)),
                               array_of("c16", std::span(c16)),
                               array_of("empty", std::span<const double>()),
                               text_of("text", text),
                               value_of("one", one),
                               value_of("yes", yes)};
  for (const bool compress : {false, true}) {
    write_npz(path, arrays, {.compress = compress});
    EXPECT_TRUE(runs("z = np.load('" + path + R"(')
assert len(z.files) == 11
assert z['f4'].dtype == np.float32 and z['f4'].tolist() == [1.5, -2]
assert z['f8'].dtype == np.float64 and z['f8'].tolist() == [1e300, -0.0, 3] and np.signbit(z['f8'][1])
assert z['i4'].dtype == np.int32 and z['i4'].tolist() == [[1, -2, 3], [4, 5, 6]]
assert z['i8'].dtype == np.int64 and z['i8'].tolist() == [2**40]
assert z['u2'].dtype == np.uint16 and z['u2'].tolist() == [65535, 1]
assert z['u1'].dtype == np.uint8 and z['u1'].tolist() == [255]
assert z['c16'].dtype == np.complex128 and z['c16'].tolist() == [1 - 2j]
assert z['empty'].shape == (0,)
assert z['text'].item() == b'sell' and z['one'].item() == 0.25 and z['yes'].item() is True
)"));
  }
  std::remove(path.c_str());
}

TEST(Npz, ScipyReadsWhatWeWriteAndWritesWhatWeRead) {
  if (python().empty()) GTEST_SKIP() << "no Python with NumPy and SciPy";
  const std::string mtx = temporary("a.mtx"), ours = temporary("ours.npz"), theirs = temporary("theirs_");
  for (const char* name : {"gen:laplace5?nx=13&ny=7", "complex"}) {
    SCOPED_TRACE(name);
    const Matrix m = std::string(name) == "complex"
                         ? test::open(std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/complex.mtx")
                         : test::open(name);
    write_matrix_market(*m.csr, mtx);
    write_scipy_npz(*m.csr, ours);
    ASSERT_TRUE(runs("import scipy.io\na = sp.load_npz('" + ours + "')\nb = sp.csr_matrix(scipy.io.mmread('" + mtx +
                     R"('))
assert a.format == 'csr' and a.shape == b.shape and a.nnz == b.nnz and a.dtype == b.dtype
assert (abs(a - b)).nnz == 0 and a.has_canonical_format
for format in ('csr', 'csc', 'coo'):
  for compressed in (False, True):
    sp.save_npz(')" + theirs +
                     "' + format + str(int(compressed)) + '.npz', a.asformat(format), compressed=compressed)\n"));
    for (const char* format : {"csr", "csc", "coo"}) {
      for (const char* compressed : {"0", "1"}) {
        const std::string path = theirs + format + compressed + ".npz";
        SCOPED_TRACE(path);
        test::expect_same(*test::open(path).csr, *m.csr);
        std::remove(path.c_str());
      }
    }
  }
  std::remove(mtx.c_str());
  std::remove(ours.c_str());
}

// Blocks and diagonals hold zeros that are no entries of the matrix that was saved: what SciPy's own tocsr makes of the
// file is what is expected.
TEST(Npz, BlocksAndDiagonalsAreReadAsScipyReadsThem) {
  if (python().empty()) GTEST_SKIP() << "no Python with NumPy and SciPy";
  const std::string saved = temporary("saved.npz"), expected = temporary("expected.npz");
  const char* sources[] = {
      "sp.random(12, 18, 0.2, random_state=1).tobsr((3, 2))",
      "sp.random(12, 18, 0.2, random_state=2).tobsr((1, 18))",
      "sp.bsr_matrix((4, 6), blocksize=(2, 3))",
      "(sp.random(8, 8, 0.3, random_state=3) * (1 + 2j)).tobsr((4, 4))",
      "sp.bsr_matrix((np.asfortranarray(np.arange(12).reshape(2, 2, 3)), [1, 0], [0, 1, 2]), shape=(4, 6))",
      "sp.random(9, 14, 0.1, random_state=4).todia()",
      "sp.random(14, 9, 0.1, random_state=5).todia()",
      "(sp.random(7, 7, 0.3, random_state=6) * 1j).todia()",
      "sp.dia_matrix((5, 3))",
      "sp.dia_matrix(([[1, 2], [3, 4]], [-1, 2]), shape=(4, 6))",
      "sp.dia_matrix(([[1, 2, 3, 4, 5, 6, 7, 8]], [1]), shape=(3, 4))",
      "sp.dia_matrix((np.asfortranarray(np.arange(12.0).reshape(3, 4)), [0, -9, 3]), shape=(4, 4))",
  };
  for (const char* source : sources) {
    SCOPED_TRACE(source);
    ASSERT_TRUE(runs("a = " + std::string(source) + "\nsp.save_npz('" + saved +
                     "', a)\nb = a.tocsr().astype(a.dtype)\n" + "b.sort_indices()\nsp.save_npz('" + expected +
                     "', b)\n"));
    try {
      test::expect_same(*test::open(saved).csr, *test::open(expected).csr);
    } catch (const Error& e) {
      ADD_FAILURE() << e.what();
    }
  }
  std::remove(saved.c_str());
  std::remove(expected.c_str());
}

TEST(Npz, WriterFailsCleanly) {
  const double one = 1;
  const NamedArray good[] = {value_of("one", one)};
  EXPECT_THROW(write_npz("/no/such/folder/a.npz", good), Error);
  const std::string path = temporary("kept.npz");
  std::ofstream(path) << "old";
  const NamedArray unknown[] = {{"x", "<q8", {}, &one}}, missing[] = {{"x", "<f8", {3}, nullptr}};
  EXPECT_THROW(write_npz(path, unknown), Error);
  EXPECT_THROW(write_npz(path, missing), Error);
  Progress progress;
  progress.cancel();
  EXPECT_THROW(write_npz(path, good, {}, &progress), Cancelled);
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "old");
  EXPECT_FALSE(test::part_left(path));
  std::remove(path.c_str());
}

TEST(Npy, HeadersReadBack) {
  EXPECT_TRUE(rc::check([] {
    const auto type = *rc::gen::element<std::string>("<f8", "|b1", "<c16", "|S3", "<U5");
    const auto shape = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1000000));
    if (shape.size() > 30) return;
    const std::string head = npy_header(type, shape);
    RC_ASSERT(head.size() % 64 == 0);
    const NpyHeader h = parse_npy_header(head, "here");
    RC_ASSERT(h.dtype == type);
    RC_ASSERT(h.shape == shape);
    RC_ASSERT(h.data_at == head.size());
    RC_ASSERT(!h.fortran_order);
  }));
}

// Whatever the bytes, the reader answers or refuses.
TEST(Npz, SurvivesMutations) {
  const std::string path = temporary("mutant.npz");
  std::vector<std::string> wholes;
  for (const char* name : {"csc", "bsr", "dia"}) {
    std::ifstream in(std::string(WARPSPY_SOURCE_DIR) + "/tests/data/valid/scipy_" + name + ".npz", std::ios::binary);
    wholes.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    ASSERT_FALSE(wholes.back().empty());
  }
  EXPECT_TRUE(rc::check([&] {
    std::string mutant = wholes[*rc::gen::inRange<std::size_t>(0, wholes.size())];
    const auto changes = *rc::gen::inRange(1, 6);
    for (int k = 0; k < changes; ++k)
      mutant[*rc::gen::inRange<std::size_t>(0, mutant.size())] = *rc::gen::arbitrary<char>();
    if (*rc::gen::arbitrary<bool>()) mutant.resize(*rc::gen::inRange<std::size_t>(1, mutant.size()));
    std::ofstream(path, std::ios::binary) << mutant;
    try {
      RC_ASSERT(test::open(path).csr->nnz() >= 0);
    } catch (const Error& e) {
      RC_ASSERT(!e.reason.empty());
    }
  }));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace warpspy
