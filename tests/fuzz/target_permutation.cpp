// Permutation files, for a matrix of as many rows as the file has lines, and for one of a row more.
#include <algorithm>

#include "core/generate/generate.hpp"
#include "core/reorder/reorder.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace warpspy::fuzz {
namespace {

void permute(const std::string& file, const std::string& spec) {
  Progress progress;
  const Matrix m = generate(spec, progress);
  const Permutation p = reorder(*m.csr, "file", {.params = {}, .file = file}, progress).permutation;
  check_permutation(p, m.csr->rows(), m.csr->cols());
  const Matrix permuted{std::make_shared<const Csr>(apply(*m.csr, p, progress)), {}};
  check_matrix(permuted);
  const Csr back = apply(*permuted.csr, inverse(p), progress);
  require(std::equal(back.values().begin(), back.values().end(), m.csr->values().begin(), m.csr->values().end()),
          "a permutation that cannot be undone");
}

void run(Bytes bytes) {
  const InputFile file(bytes);
  const std::string lines = std::to_string(std::count(bytes.begin(), bytes.end(), '\n'));
  for (const std::string& rows : {lines, lines + "1"}) {
    if (rows == "0") continue;
    for (const std::string& spec : {"arrow?n=" + rows, "dense?rows=" + rows + "&cols=2"}) {
      try {
        permute(file.path(), spec);
      } catch (const Error&) {  // the other sizes have their turn
      }
    }
  }
}

Words seeds() { return {"0\n1\n2\n3\n", "# rows\n3\n1\n2\n", "% empty\n\n 2 \r\n1\r\n", "1\n1\n", "0\n4\n", "1\n"}; }

}  // namespace

Target permutation_target() {
  return {.name = "permutation",
          .run = run,
          .mutate = [](const std::string& text, Random& r) { return mutate_text(text, {"#", "%"}, r); },
          .seeds = seeds};
}

}  // namespace warpspy::fuzz
