// Every reader of core/io/readers.cpp by itself.
#include <map>

#include "core/io/reader.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/mutate_files.hpp"

namespace warpspy::fuzz {
namespace {

void read_with(const MatrixReader& reader, Bytes bytes) {
  if (!reader.sniff(bytes.substr(0, kHeadBytes))) return;
  const InputFile file(bytes);
  const auto plain = open_source(file.path());
  Peeked source(*plain, kHeadBytes);
  Progress progress;
  Matrix m;
  {
    const MemoryGuard guard;
    m = reader.read(source, file.path(), {kMemory}, progress);
  }
  check_matrix(m);
}

// What the reader gets to see of a file, unpacked.
std::string seed_of(const MatrixReader& reader, const std::string& path) {
  const auto file = open_source(path);
  Peeked source(*file, kHeadBytes);
  if (recognise(source.head()) != &reader) return {};
  std::string bytes(kLargestSeed + 1, '\0');
  bytes.resize(source.read(bytes.data(), bytes.size()));
  return bytes.size() > kLargestSeed ? "" : bytes;
}

using Mutate = std::function<std::string(const std::string&, Random&)>;

Mutate as_text(Words words) {
  return [words](const std::string& text, Random& r) { return mutate_text(text, words, r); };
}

// By id; a reader that is not here reads text.
const std::map<std::string_view, Mutate>& mutations() {
  static const std::map<std::string_view, Mutate> by_id = {
      {"matrix-market", as_text({"%%MatrixMarket", "matrix", "vector", "coordinate", "array", "real", "integer",
                                 "unsigned-integer", "complex", "pattern", "double", "general", "symmetric",
                                 "hermitian", "skew-symmetric", "%", "1 1 1 1\n", "0 0 0", "\t"})},
      {"boeing", as_text({"RUA",
                          "RSA",
                          "RZA",
                          "PUA",
                          "CUA",
                          "CHA",
                          "IUA",
                          "RRA",
                          "RSE",
                          "(26I3)",
                          "(1P,4D20.13)",
                          "(4E20.12)",
                          "(1X,5(E15.8,1X))",
                          "(3(2(1X,I4)))",
                          "(2P3F12.5)",
                          "(I1)",
                          "(80I1)",
                          "FGN",
                          "(9(9(9(I1))))",
                          "1.5+102"})},
      {"matlab", mutate_matlab},
      {"scipy", mutate_npz},
  };
  return by_id;
}

}  // namespace

std::vector<Target> reader_targets() {
  std::vector<Target> list;
  for (const MatrixReader& reader : matrix_readers()) {
    const auto own = mutations().find(reader.id);
    list.push_back({.name = std::string(reader.id),
                    .run = [&reader](Bytes bytes) { read_with(reader, bytes); },
                    .mutate = own == mutations().end() ? as_text({}) : own->second,
                    .seed_of = [&reader](const std::string& path) { return seed_of(reader, path); }});
  }
  return list;
}

}  // namespace warpspy::fuzz
