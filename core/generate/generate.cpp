#include "core/generate/generate.hpp"

#include <algorithm>
#include <new>
#include <string_view>

#include "core/base/number_text.hpp"
#include "core/generate/definite.hpp"
#include "core/generate/makers.hpp"
#include "core/generate/printed_table.hpp"

namespace warpspy {
namespace {

using namespace generate_detail;

constexpr double kMost = 9007199254740992.0;  // 2^53; memory sets the real limit

ParamSpec size_of(std::string id, std::string label, double def, double min = 1, std::string help = {}) {
  if (help.empty()) help = label + " of the matrix.";
  return {std::move(id), std::move(label), std::move(help), ParamSpec::Type::integer, min, kMost, def, {}};
}
ParamSpec grid(const char* id, double def) {
  return size_of(id, std::string("Points in ") + id[1], def, 1,
                 std::string("Grid points along ") + id[1] + "; the boundary values lie outside and are zero.");
}
ParamSpec seed() { return size_of("seed", "Seed", 1, 0, "Another seed gives another matrix of the same kind."); }
ParamSpec mean_length(double def) {
  return {"mean",
          "Mean row length",
          "Entries per row on average; the sum differs a little from rows x mean.",
          ParamSpec::Type::real,
          0,
          kMost,
          def,
          {}};
}
ParamSpec order(double def, double min = 1) { return size_of("n", "Rows and columns", def, min); }

// Every generator has it.
ParamSpec definite() {
  return {.id = "spd",
          .label = "Positive definite",
          .help =
              "1: other values on the same pattern, symmetric and positive definite, for solves; what the pattern "
              "lacks to be symmetric is added.",
          .type = ParamSpec::Type::integer,
          .min = 0,
          .max = 1,
          .def = 0};
}

ParamSpec name_of_like() {
  const std::vector<std::string> names = like_names();
  return {"name",
          "Name",
          "Of the matrix in the collection.",
          ParamSpec::Type::choice,
          0,
          static_cast<double>(names.size() - 1),
          0,
          names};
}

ParamSpec facts_of_like() {
  return {
      "facts",
      "Facts",
      "papers: the row lengths also give the shares of HYB that the papers print, and LP is their version of it; for " +
          printed_names() + ".",
      ParamSpec::Type::choice,
      0,
      1,
      0,
      {"collection", "papers"}};
}

struct GeneratorRow {
  GeneratorInfo info;
  const char* symmetry;
  Maker make;
  MatrixMaker make_matrix = nullptr;  // instead of `make`; says the symmetry itself
};

// The one list of generators. The Laplacians have the paper's sizes as defaults.
// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<GeneratorRow>& table() {
  static const std::string structured = "Bell & Garland 2008, Table 3", own = "own construction";
  static const std::vector<GeneratorRow> rows = {
      {{"laplace3",
        "Laplace 3-point",
        "Second difference on a line: 2 and -1.",
        "The simplest banded matrix: three entries in every row. What a format costs beyond the entries shows at once.",
        structured,
        {grid("nx", 1e6)}},
       "symmetric",
       make_laplace3},
      {{"laplace5",
        "Laplace 5-point",
        "Laplacian on a plane grid: 4 and -1 to the four neighbours.",
        "The model problem of most papers: rows of one length on five diagonals, which suits DIA and ELL. Begin here.",
        structured,
        {grid("nx", 1000), grid("ny", 1000)}},
       "symmetric",
       make_laplace5},
      {{"laplace7",
        "Laplace 7-point",
        "Laplacian on a grid in space: 6 and -1 to the six neighbours.",
        "A model problem in space. The diagonals lie far apart, so x is reused over a longer way.",
        structured,
        {grid("nx", 100), grid("ny", 100), grid("nz", 100)}},
       "symmetric",
       make_laplace7},
      {{"laplace9",
        "Laplace 9-point",
        "Plane grid, corners included: 8 and -1 to the eight neighbours.",
        "Nine diagonals: more work per row than the 5-point one, with the same neighbours in the caches.",
        structured,
        {grid("nx", 1000), grid("ny", 1000)}},
       "symmetric",
       make_laplace9},
      {{"laplace27",
        "Laplace 27-point",
        "Grid in space, edges and corners included: 26 and -1 to the 26 neighbours.",
        "Long, even rows: close to the best that a kernel can reach on a sparse matrix.",
        structured,
        {grid("nx", 100), grid("ny", 100), grid("nz", 100)}},
       "symmetric",
       make_laplace27},
      {{"like",
        "Stand-in",
        "A matrix like one of the collection that the papers use: same sizes, row lengths and pattern symmetry, "
        "entries "
        "placed as is usual for its kind. Exact where the pattern is known.",
        "A stand-in is a made-up matrix that looks like a well-known one to a kernel: try the papers' matrices without "
        "a download. Take the real file where you have it.",
        "SuiteSparse collection, statistics; Bell & Garland 2008, Table 4; HYB-R, Table III; EVC-HYB, Table 3",
        {name_of_like(), seed(), facts_of_like()}},
       nullptr,
       nullptr,
       make_like},
      {{"fem_quad",
        "Finite elements, quadrilaterals",
        "Poisson on a rectangle of nx x ny quadrilaterals; also keeps the element matrices, from which LMA is built.",
        "What a simulation of fields assembles. The degree turns short rows into long ones, and the element matrices "
        "can be multiplied without assembling.",
        "Reguly & Giles 2012, section 8",
        {{"degree",
          "Degree",
          "Of the polynomials, in each direction: rows have 9, 25, 49 or 81 entries at most.",
          ParamSpec::Type::integer,
          1,
          4,
          1,
          {}},
         size_of("nx", "Elements in x", 1000, 1, "Elements along x; lines have degree x nx + 1 nodes."),
         size_of("ny", "Elements in y", 1000, 1, "Elements along y; there are degree x ny + 1 lines."),
         {"boundary",
          "Boundary",
          "zero: values are 0 there, rows and columns of boundary nodes become those of the identity, the pattern "
          "stays. "
          "free: no condition, every row sums to zero and constants are in the kernel.",
          ParamSpec::Type::choice,
          0,
          1,
          0,
          {"zero", "free"}}}},
       nullptr,
       nullptr,
       make_fem_quad},
      {{"bratu",
        "Bratu, first Jacobian",
        "Solid fuel ignition in a cube of n x n x n points, -Laplace u = lambda e^u: the Jacobian at the start of "
        "Newton's method. Boundary rows are those of the identity.",
        "A nonlinear problem: warpspy solve does all steps of Newton's method, and each has new values on the same "
        "pattern.",
        "PETSc, SNES example 14; EVC-HYB, section 3.4",
        {size_of("n", "Points", 64, 3, "Along each edge of the cube, the boundary included; the matrix has n^3 rows."),
         {"lambda", "lambda", "How strongly the fuel heats itself.", ParamSpec::Type::real, 0.001, 6.81, 6, {}}}},
       "general",
       make_bratu},
      {{"dense",
        "Dense",
        "Every entry is stored: the upper bound of locality.",
        "A sparse format holding a dense matrix: the most that any kernel reaches, since every access follows the one "
        "before.",
        "Bell & Garland 2008, Table 4 (Dense)",
        {size_of("rows", "Rows", 2000), size_of("cols", "Columns", 2000)}},
       "general",
       make_dense},
      {{"band",
        "Band",
        "All entries within a distance of the diagonal.",
        "How speed depends on the length of rows when nothing else changes: turn the half bandwidth.",
        own,
        {size_of("rows", "Rows", 1e6), size_of("half", "Half bandwidth", 10, 0, "Diagonals on either side.")}},
       "symmetric",
       make_band},
      {{"random",
        "Random",
        "The same number of entries in every row, columns uniformly at random.",
        "The worst case for x: no two neighbours are read together. Shows what the caches are worth.",
        own,
        {size_of("rows", "Rows", 1e6), size_of("cols", "Columns", 1e6),
         size_of("per_row", "Entries per row", 10, 0, "At most the number of columns."), seed()}},
       "general",
       make_random},
      {{"uneven",
        "Uneven rows",
        "Row lengths uniformly at random between two bounds, columns uniformly at random.",
        "Long and short rows side by side in any order: what a kernel loses to them, without a few that are very long "
        "(EVC-HYB, section 3.4).",
        own,
        {size_of("rows", "Rows", 20000), size_of("cols", "Columns", 20000),
         size_of("shortest", "Shortest row", 1, 0, "Entries; at most the longest."),
         size_of("longest", "Longest row", 1000, 0, "Entries; at most the number of columns."), seed()}},
       "general",
       make_uneven},
      {{"powerlaw",
        "Power law",
        "Like a web graph: most rows short, a few very long (Pareto lengths), columns skewed towards the first.",
        "Like a web or social graph: a few rows are very long. Shows idle lanes, and why HYB and merge-path kernels "
        "exist.",
        own,
        {size_of("rows", "Rows", 1e6),
         mean_length(10),
         {"exponent",
          "Exponent",
          "Of the tail of the row lengths, number of rows of length l ~ l^-exponent. Smaller is "
          "heavier.",
          ParamSpec::Type::real,
          2.01,
          10,
          2.3,
          {}},
         seed()}},
       "general",
       make_powerlaw},
      {{"lp",
        "Linear program",
        "Few and very long rows of uneven length, many columns.",
        "Few, extremely long rows: too few for one thread each. Shows what happens when a GPU is not filled.",
        own + "; default sizes of rail4284",
        {size_of("rows", "Rows", 4284), size_of("cols", "Columns", 1096894), mean_length(2634), seed()}},
       "general",
       make_lp},
      {{"arrow",
        "Arrow",
        "Diagonal, last column and last row: one row is as long as the matrix.",
        "One row is as long as the matrix: the extreme case of imbalance. ELL cannot hold it.",
        own,
        {order(1e6)}},
       "symmetric",
       make_arrow},
      {{"wheel",
        "Wheel",
        "Adjacency of a wheel: a hub joined to every vertex of a rim.",
        "An arrow with a rim: short rows and a single one that is as long as the matrix.",
        "Bell & Garland 2008, Figure 9",
        {order(1e6, 4)}},
       "symmetric",
       make_wheel},
      {{"single",
        "Single entry",
        "One entry, at row n/3 and column n - 1 - n/3: does it show?",
        "To test a viewer: one entry among a million rows must still be seen.",
        own,
        {order(1e6)}},
       "general",
       make_single},
      {{"diagonal",
        "Diagonal",
        "The diagonal alone.",
        "The shortest rows: nothing but the cost of going through them.",
        own,
        {order(1e6)}},
       "symmetric",
       make_diagonal},
      {{"empty",
        "Empty",
        "No entries.",
        "To test what happens where there is nothing.",
        own,
        {size_of("rows", "Rows", 1000, 0), size_of("cols", "Columns", 1000, 0)}},
       "general",
       make_empty},
  };
  return rows;
}

const GeneratorRow& row_of(std::string_view id, const std::string& where) {
  std::string known;
  for (const GeneratorRow& row : table()) {
    if (row.info.id == id) return row;
    known += (known.empty() ? "" : ", ") + row.info.id;
  }
  throw Error("unknown generator '" + std::string(id) + "'", where, "known: " + known);
}

// Parses a number, or the name of one of the choices.
bool parse_value(std::string_view text, const ParamSpec* spec, double& value) {
  if (spec != nullptr && spec->type == ParamSpec::Type::choice) {
    const auto at = std::find(spec->choices.begin(), spec->choices.end(), text);
    value = static_cast<double>(at - spec->choices.begin());
    return at != spec->choices.end();
  }
  const auto number = number_from<double>(text);
  value = number.value_or(0);
  return number.has_value();
}

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

// "a=1&b=2"
ParamSet parse_params(std::string_view text, const std::vector<ParamSpec>& specs, const std::string& where) {
  ParamSet params;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const std::string_view id = pair.substr(0, equals);
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const ParamSpec& s) { return s.id == id; });
    double value = 0;
    const bool choice = spec != specs.end() && spec->type == ParamSpec::Type::choice;
    if (id.empty() || equals == pair.npos)
      throw Error("'" + std::string(pair) + "' is not a parameter", where, "write name=number, joined by &");
    const std::string_view said = pair.substr(equals + 1);
    if (!parse_value(said, spec == specs.end() ? nullptr : &*spec, value))
      throw Error("'" + std::string(said) + "' is not a value of " + std::string(id), where,
                  choice ? "known: " + list_of(spec->choices) : "write a number");
    if (!params.emplace(id, value).second) throw Error("parameter " + std::string(id) + " is given twice", where);
  }
  return params;
}

}  // namespace

const std::vector<GeneratorInfo>& generators() {
  static const std::vector<GeneratorInfo> infos = [] {
    std::vector<GeneratorInfo> list;
    for (const GeneratorRow& row : table()) {
      list.push_back(row.info);
      list.back().params.push_back(definite());
    }
    return list;
  }();
  return infos;
}

GeneratorText read_generator(const std::string& spec) {
  std::string_view text = spec;
  if (text.starts_with("gen:")) text.remove_prefix(4);
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }))
    throw Error("the name has signs that no generator has", "gen:", "write letters, digits and ?=&._-");
  const std::string where = "gen:" + std::string(text);
  const std::size_t question = std::min(text.find('?'), text.size());
  const GeneratorRow& row = row_of(text.substr(0, question), where);
  text.remove_prefix(std::min(text.size(), question + 1));
  const auto generator = static_cast<std::size_t>(&row - table().data());
  try {
    const std::vector<ParamSpec>& params = generators()[generator].params;
    return {generator, checked_params(params, parse_params(text, params, where))};
  } catch (const Error& e) {
    throw Error(e.reason, where, e.remedy);
  }
}

Matrix generate(const std::string& spec, Progress& progress) {
  const GeneratorText read = read_generator(spec);
  const GeneratorRow& row = table()[read.generator];
  const std::string where = spec.starts_with("gen:") ? spec : "gen:" + spec;
  progress.stage("generating " + row.info.id);
  try {
    Matrix m;
    if (row.make_matrix) {
      m = row.make_matrix(read.params, progress);
    } else {
      m.csr = std::make_shared<const Csr>(row.make(read.params, progress));
      m.source.symmetry = row.symmetry;
    }
    if (read.params.at("spd") == 1) {
      m.csr = std::make_shared<const Csr>(positive_definite(*m.csr, progress));
      m.source.symmetry = "symmetric";
      m.elements = nullptr;  // they have the values before
    }
    m.source.name = where.substr(4);
    m.source.location = where;
    m.source.entries_in_file = m.csr->nnz();
    return m;
  } catch (const Error& e) {
    throw Error(e.reason, where, e.remedy);
  } catch (const std::bad_alloc&) {
    throw Error("not enough memory for the matrix", where, "choose smaller parameters");
  }
}

}  // namespace warpspy
