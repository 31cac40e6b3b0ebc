// A paper's table as data: every printed number, how to make it again, and its tolerance. docs/studies-format.md
// describes the file. No code here runs a product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/types.hpp"

namespace warpspy {

// Parameters of kernels and formats, and options of a run by their names in JSON, each as text.
using StudyWords = std::map<std::string, std::string>;

struct StudyMatrix {
  // generator: generated as in the paper. stand_in: a generated matrix with the facts that the paper prints. file: the
  // paper's own matrix.
  enum class Kind : std::uint8_t { generator, stand_in, file } kind = Kind::file;
  std::string source;                         // "": it is not known which matrix it was
  index_t rows = -1, columns = -1, nnz = -1;  // facts of the paper's matrix; -1: not stated
  std::string hash;                           // fingerprint_of() of the paper's; "": not known
  std::string other;                          // why it is not the paper's matrix, or is not known
  StudyWords params = {}, options = {};       // for all setups on this matrix that do not override them
  bool given = false;                         // a user's file replaces the study's matrix
};
const char* name_of(StudyMatrix::Kind kind);

struct StudySetup {
  std::string kernel;  // "": only the format counts
  std::string format;  // "": the kernel's
  StudyWords params = {}, options = {};
  int most_products = 0;  // of an exhaustive search on this setup; 0: as many as a search tries by itself
};

enum class Claim : std::uint8_t { exact, rate, ratio, order, winner };
const char* name_of(Claim claim);
enum class Form : std::uint8_t { ratio, percent, gain, loss };  // a/b, 100 a/b, 100 (a/b - 1), 100 (1 - a/b)
enum class Aggregate : std::uint8_t { none, min, max, mean, median };
enum class WholeNumber : std::uint8_t { no, down, next };  // the whole number below, and the one after that

// The matrix and the setups (kernel, format and options) for which a number is made. If there are several setups, the
// largest value counts.
struct StudySide {
  std::string matrix;  // "" if the quantity has no matrix
  std::vector<std::string> setups = {};
};

struct StudyTolerance {
  std::optional<double> within;       // a factor
  std::optional<double> points;       // tolerance in the cell's unit
  std::optional<double> least, most;  // an interval; `within` widens it
};

struct StudyCell {
  std::string row, column;  // of a table; of a claim its name, and ""
  std::string printed;      // as printed; "": a gap, or an order in words
  std::optional<double> value = {};
  double half_digit = 0;  // half of the last digit that is printed
  int decimals = 0;
  std::string unit, gap, footnote, quote, known;
  std::string order_only, not_comparable, missing;  // reasons (docs/studies-format.md)
  Claim claim = Claim::rate;
  std::string quantity, per;
  double scale = 1;
  StudySide side;
  std::optional<StudySide> over = {};
  Form form = Form::ratio;
  Aggregate aggregate = Aggregate::none;
  std::vector<std::string> matrices = {};       // for an aggregate: over these matrices
  std::vector<std::string> over_matrices = {};  // the first of `matrices` over the first of these, and so on
  std::vector<std::string> among = {};          // for a winner: among these
  WholeNumber whole = WholeNumber::no;
  std::optional<double> absent = {};
  StudyTolerance tolerance = {};

  std::string name() const { return column.empty() ? row : row + ", " + column; }
  // Whether the study tells how to make the cell's number again, and nothing prevents it.
  bool has_recipe() const { return missing.empty() && not_comparable.empty() && gap.empty() && !quantity.empty(); }
};

struct StudySource {
  std::string paper, text, place, section, anchor;
  int page = 0;  // 0: not known
};

struct Study {
  std::string id, title;
  StudySource source;
  bool set_aside = false;
  std::vector<std::string> notes = {};
  std::map<std::string, StudyMatrix> matrices = {};
  std::map<std::string, StudySetup> setups = {};
  std::vector<StudyCell> cells = {};  // in the order of the file: tables by rows, then claims

  const StudyMatrix& matrix(const std::string& name) const;  // throws Error
  const StudySetup& setup(const std::string& name) const;    // throws Error
  // Uses a file in place of a matrix. The file counts as the paper's own matrix; its size and hash are compared when it
  // is opened. Throws Error for a matrix that the study does not have.
  void replace(const std::string& matrix, const std::string& file);
};

inline constexpr std::size_t kMostStudyBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostStudyCells = 100'000, kMostStudyNames = 10'000;

// Reads a study. Throws an Error that tells where in the file something is wrong, what is wrong, and what to do.
// `where` is the file's name for the message.
Study study_from_json(const std::string& text, const std::string& where = {});
Study read_study(const std::string& path);
// Reads all studies of a folder (assets/studies). They are ordered by paper, as the file of the lot lists papers, then
// by name. Throws Error.
std::vector<Study> read_studies(const std::string& folder);

// Tells which studies of each paper are set aside: half of them, drawn by lot from the listed order, with a seed.
struct StudyLot {
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::vector<std::string>>> papers = {};
  std::vector<std::string> set_aside = {};  // ids that the file sets aside, sorted
  // Written after the draw, when the model had been changed: in no lot, and not set aside.
  std::vector<std::pair<std::string, std::vector<std::string>>> later = {};
};
StudyLot read_lot(const std::string& path);           // throws Error
std::vector<std::string> drawn(const StudyLot& lot);  // sorted

}  // namespace warpspy
