#include <memory>
#include <new>

#include "core/reorder/adjacency.hpp"
#include "core/reorder/reorder.hpp"

namespace warpspy {

using namespace reorder_detail;

// The option of every order of rows that may keep the columns.
namespace {
ParamSpec columns_follow() {
  return {"columns",
          "Columns",
          "Of a square matrix: follow the rows (P A P^T) or stay. Others stay.",
          ParamSpec::Type::choice,
          0,
          1,
          0,
          {"follow", "stay"}};
}
}  // namespace

// The one list of reorderings.
const std::vector<ReorderRow>& reorderings() {
  static const std::vector<ReorderRow> rows = {
      {{"rcm",
        "Reverse Cuthill-McKee",
        "Numbers neighbours close to each other: a narrow band. Of A + A^T; components one after the other.",
        "Cuthill & McKee 1969; George & Liu 1979; Reguly & Giles 2012, section 5.6",
        {}},
       reverse_cuthill_mckee},
      {{"amd",
        "Approximate minimum degree",
        "Little fill in a factorisation of A + A^T. Entries are spread out: a hard case for caches.",
        "Amestoy, Davis & Duff 1996 (SuiteSparse AMD)",
        {}},
       minimum_degree},
      {{"metis",
        "Graph partition",
        "Rows of a part together, few entries between parts.",
        "Karypis & Kumar 1998 (METIS)",
        {{"parts",
          "Parts",
          "Of about equal size; at most the number of rows.",
          ParamSpec::Type::integer,
          1,
          1 << 24,
          64,
          {}}}},
       partitioned},
      {{"length",
        "Rows by length",
        "Rows with equally many entries together; rows of equal length keep their order.",
        "HYB-R, section II; EVC-HYB, section 3",
        {{"order", "Order", "Which rows come first.", ParamSpec::Type::choice, 0, 1, 0, {"longest", "shortest"}},
         columns_follow()},
        false},
       sorted_by_length},
      {{"shuffle",
        "Random shuffle",
        "Rows in random order, and columns with them: what neighbouring rows shared in caches is gone.",
        "own (Fisher & Yates 1938)",
        {{"seed", "Seed", "The same seed gives the same order.", ParamSpec::Type::integer, 0, 1 << 24, 1, {}},
         columns_follow()},
        false},
       shuffled},
      {{"file",
        "Permutation file",
        "A text file with one row number a line, counted from 0 or 1: the row that becomes the first, the second, ...",
        "own",
        {},
        false,
        true},
       from_file},
  };
  return rows;
}

const ReorderRow& reorder_row(const std::string& id) {
  std::string known;
  for (const ReorderRow& row : reorderings()) {
    if (row.info.id == id) return row;
    known += (known.empty() ? "" : ", ") + row.info.id;
  }
  throw Error("unknown reordering '" + id + "'", {}, "known: " + known);
}

Reordering reorder(const Csr& a, const std::string& id, const ReorderInput& input, Progress& progress) {
  const ReorderRow& row = reorder_row(id);
  if (row.info.square_only && a.rows() != a.cols())
    throw Error(row.info.label + " needs a square matrix; this one is " + std::to_string(a.rows()) + " x " +
                    std::to_string(a.cols()),
                {}, "sort the rows by length instead");
  if (row.info.takes_file && input.file.empty()) throw Error(row.info.label + " needs a file", {}, "name one");
  try {
    return row.compute(a, {checked_params(row.info.params, input.params), input.file}, progress);
  } catch (const std::bad_alloc&) {
    throw Error("not enough memory for " + row.info.label);
  }
}

Reordered reordered(const Matrix& from, const ReorderStep& step, Progress& progress) {
  progress.stage("ordering");
  Reordered out;
  out.order = reorder(*from.csr, step.id, {step.params, step.file}, progress);
  progress.stage("permuting");
  out.matrix.source = from.source;
  out.matrix.source.name = name_in_order(from.source.name, {step});
  out.matrix.source.warnings.clear();
  out.matrix.csr = std::make_shared<const Csr>(apply(*from.csr, out.order.permutation, progress));
  return out;
}

}  // namespace warpspy
