// Every reader of core/io/readers.cpp by itself.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include "core/io/matlab_wire.hpp"
#include "core/io/packed.hpp"
#include "core/io/reader.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/mutate_files.hpp"

namespace warpspy::fuzz {
namespace {

void read_with(const MatrixReader& reader, const ReadOptions& options, const InputFile& file) {
  const auto plain = open_source(file.path());
  Peeked source(*plain, kHeadBytes);
  Progress progress;
  Matrix m;
  {
    const MemoryGuard guard;
    m = reader.read(source, file.path(), {kMemory, options}, progress);
  }
  check_matrix(m);
}

// Any of what a user may say, by the input itself.
ReadOptions some_options(Bytes bytes) {
  const std::size_t bits = std::hash<Bytes>()(bytes);
  const auto maybe = [&](int at) { return bits >> at & 1 ? std::optional(bool(bits >> (at + 1) & 1)) : std::nullopt; };
  return {.format = {}, .base = maybe(0), .undirected = maybe(2), .weights = maybe(4), .bipartite = maybe(6)};
}

void run(const MatrixReader& reader, Bytes bytes) {
  if (!reader.sniff(bytes.substr(0, kHeadBytes))) return;
  const InputFile file(bytes);
  if (reader.by_name) {  // nothing but numbers, whose meaning can be given
    try {
      read_with(reader, some_options(bytes), file);
    } catch (const Error&) {  // with or without: each has its turn
    }
  }
  read_with(reader, {}, file);
}

// What the reader gets to see of a file, unpacked.
std::string seed_of(const MatrixReader& reader, const std::string& path) {
  const auto file = open_source(path);
  Peeked source(*file, kHeadBytes);
  if (recognise(source.head(), source.name()) != &reader) return {};
  std::string bytes(kLargestSeed + 1, '\0');
  bytes.resize(source.read(bytes.data(), bytes.size()));
  return bytes.size() > kLargestSeed ? "" : bytes;
}

// In place of the program that reads MATLAB 7.3 files: what stands behind the header is its answer.
void stand_in_for_matlab() {
  ::setenv("WARPSPY_READERS", folder().c_str(), 1);
  const std::string program = folder() + "/warpspy-read-matlab";
  write_file(program, "#!/bin/sh\nexec tail -c +129 \"$1\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
}

std::string answered(MatlabAnswerKind kind, std::uint32_t flags, std::uint64_t entries, const std::string& data) {
  std::string file = "MATLAB 7.3 MAT-file";
  file.resize(124);
  file += std::string("\0\2IM", 4);
  const MatlabAnswer a{.kind = kind, .flags = flags, .rows = 3, .cols = 2, .entries = entries};
  file.append(reinterpret_cast<const char*>(&a), sizeof a);
  return file + data;
}

// Rows and columns pointers of a 3 x 2 matrix of two entries, then values.
Words matlab_answers() {
  const std::uint32_t places[] = {0, 2, 0, 1, 2};
  const double values[] = {1.5, -2, 0, 4};
  const std::string at(reinterpret_cast<const char*>(places), sizeof places);
  const auto numbers = [&](std::size_t n) { return std::string(reinterpret_cast<const char*>(values), n * 8); };
  return {answered(MatlabAnswerKind::matrix, 0, 2, at + numbers(2)),
          answered(MatlabAnswerKind::matrix, MatlabAnswer::kComplex, 2, at + numbers(4)),
          answered(MatlabAnswerKind::matrix, MatlabAnswer::kLogical, 2, at + numbers(2)),
          answered(MatlabAnswerKind::damaged, 0, 5, "wrong"),
          answered(MatlabAnswerKind::no_sparse, 0, 4, "cell"),
          answered(MatlabAnswerKind::outside, 0, 4, "link"),
          answered(MatlabAnswerKind::matrix, MatlabAnswer::kOpen, 2, at + numbers(2))};
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
      {"metis", as_text({"011", "100", "10 2", "1 2\n", "%", "2 1 1 1\n", "0", "\n\n"})},
      {"edges", as_text({"# Undirected graph", "# Nodes: 3 Edges: 2", "% sym", "% bip", "0 1\n", "1,2,3\n", "; ", "\t",
                         "{}", "from,to\n", "1 2 inf\n"})},
  };
  return by_id;
}

}  // namespace

std::vector<Target> reader_targets() {
  stand_in_for_matlab();
  std::vector<Target> list;
  for (const MatrixReader& reader : matrix_readers()) {
    const auto own = mutations().find(reader.id);
    list.push_back({.name = std::string(reader.id),
                    .run = [&reader](Bytes bytes) { run(reader, bytes); },
                    .mutate = own == mutations().end() ? as_text({}) : own->second,
                    .seed_of = [&reader](const std::string& path) { return seed_of(reader, path); },
                    .seeds = reader.id == "matlab" ? matlab_answers : nullptr});
  }
  return list;
}

}  // namespace warpspy::fuzz
