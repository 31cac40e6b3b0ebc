// The file of a study (docs/studies-format.md).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "core/base/csv.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/number_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/run/request_options.hpp"
#include "core/study/quantity.hpp"
#include "core/study/study.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostParts = 4'000'000;

template <class Value>
struct Word {
  const char* word;
  Value value;
};
constexpr Word<StudyMatrix::Kind> kKinds[] = {{"generator", StudyMatrix::Kind::generator},
                                              {"stand-in", StudyMatrix::Kind::stand_in},
                                              {"file", StudyMatrix::Kind::file}};
constexpr Word<Claim> kClaims[] = {{"exact", Claim::exact},
                                   {"rate", Claim::rate},
                                   {"ratio", Claim::ratio},
                                   {"order", Claim::order},
                                   {"winner", Claim::winner}};
constexpr Word<Form> kForms[] = {
    {"ratio", Form::ratio}, {"percent", Form::percent}, {"gain", Form::gain}, {"loss", Form::loss}};
constexpr Word<Aggregate> kAggregates[] = {
    {"min", Aggregate::min}, {"max", Aggregate::max}, {"mean", Aggregate::mean}, {"median", Aggregate::median}};
constexpr Word<WholeNumber> kWholes[] = {{"down", WholeNumber::down}, {"next", WholeNumber::next}};

constexpr const char* kCellFields[] = {
    "name",           "printed", "value", "gap",    "footnote", "unit",   "claim",     "quantity", "per",
    "scale",          "matrix",  "setup", "best",   "over",     "form",   "aggregate", "matrices", "than",
    "than_matrices",  "among",   "round", "absent", "within",   "points", "least",     "most",     "order_only",
    "not_comparable", "missing", "known", "quote",  "with",     "cells"};

// Reads one file, and knows the current place in it for error messages.
class Reader {
 public:
  Reader(Study& study, std::string file) : study_(study), file_(std::move(file)) {}

  void read(const Json& j) {
    at_ = "the study";
    fields(j, {"schema", "id", "title", "source", "set_aside", "notes", "matrices", "setups", "defaults", "tables",
               "claims"});
    if (text(j, "schema") != "warpspy-study-1")
      fail("its schema is \"" + text(j, "schema") + "\"", "this Warpspy reads warpspy-study-1");
    study_.id = text(j, "id"), study_.title = text(j, "title");
    if (study_.id.empty() || study_.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      fail("\"id\" is no name of a study", "take small letters, digits and -");
    if (!j.contains("source")) fail("it names no source", "add \"source\" with paper, text, place and section");
    source(j.at("source"));
    if (j.contains("set_aside")) study_.set_aside = boolean(j.at("set_aside"), "set_aside");
    study_.notes = texts(j, "notes");
    if (j.contains("matrices"))
      for (const auto& [name, m] : object(j.at("matrices"), "matrices").items()) matrix(name, m);
    if (j.contains("setups"))
      for (const auto& [name, s] : object(j.at("setups"), "setups").items()) setup(name, s);
    if (study_.matrices.size() + study_.setups.size() > kMostStudyNames)
      fail("it has more than " + std::to_string(kMostStudyNames) + " matrices and setups",
           "make several studies of it");
    const Json defaults = j.contains("defaults") ? object(j.at("defaults"), "defaults") : Json::object();
    if (j.contains("tables"))
      for (const Json& t : list(j.at("tables"), "tables")) table(defaults, t);
    if (j.contains("claims"))
      for (const Json& c : list(j.at("claims"), "claims")) claim(defaults, c);
    at_ = "the study";
    if (study_.cells.empty()) fail("it has no cells", "add \"tables\" or \"claims\"");
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& todo) const {
    throw Error(at_ + ": " + what, file_, todo);
  }

  // ---- values

  const Json& object(const Json& j, const char* what) const {
    if (!j.is_object()) fail(std::string("\"") + what + "\" is no object", "write {\"name\": ...}");
    return j;
  }
  const Json& list(const Json& j, const char* what) const {
    if (!j.is_array()) fail(std::string("\"") + what + "\" is no list", "write [...]");
    return j;
  }
  bool boolean(const Json& j, const char* what) const {
    if (!j.is_boolean()) fail(std::string("\"") + what + "\" is neither true nor false", "write true or false");
    return j.get<bool>();
  }
  std::string text(const Json& j, const char* key) const {
    if (!j.contains(key)) return {};
    if (!j.at(key).is_string()) fail(std::string("\"") + key + "\" is no text", "put it in quotation marks");
    return j.at(key).get<std::string>();
  }
  std::vector<std::string> texts(const Json& j, const char* key) const {
    std::vector<std::string> all;
    if (!j.contains(key)) return all;
    for (const Json& t : list(j.at(key), key)) {
      if (!t.is_string())
        fail(std::string("\"") + key + "\" has something that is no text", "put it in quotation marks");
      all.push_back(t.get<std::string>());
    }
    return all;
  }
  std::optional<double> number(const Json& j, const char* key) const {
    if (!j.contains(key)) return std::nullopt;
    const Json& v = j.at(key);
    if (!v.is_number() || !std::isfinite(v.get<double>()))
      fail(std::string("\"") + key + "\" is no number", "write it without quotation marks");
    return v.get<double>();
  }
  index_t whole(const Json& j, const char* key) const {
    if (!j.contains(key)) return -1;
    const auto v = number(j, key);
    if (*v < 0 || *v != std::floor(*v) || *v > 1e15)
      fail(std::string("\"") + key + "\" is no count", "write 0 or more");
    return static_cast<index_t>(*v);
  }
  template <class Value, std::size_t n>
  Value word(const Json& j, const char* key, const Word<Value> (&words)[n], Value otherwise) const {
    if (!j.contains(key)) return otherwise;
    const std::string given = text(j, key);
    std::string known;
    for (const auto& w : words) {
      if (given == w.word) return w.value;
      known += (known.empty() ? "" : ", ") + std::string(w.word);
    }
    fail(std::string("\"") + key + "\" is \"" + given + "\"", "known: " + known);
  }
  template <class Names>
  void fields(const Json& j, const Names& names) const {
    object(j, at_.c_str());
    for (const auto& [key, value] : j.items()) {
      if (std::find(std::begin(names), std::end(names), std::string_view(key)) != std::end(names)) continue;
      std::string known;
      for (const char* n : names) known += (known.empty() ? "" : ", ") + std::string(n);
      fail("unknown field \"" + key + "\"", "known: " + known);
    }
  }
  void fields(const Json& j, std::initializer_list<const char*> names) const {
    fields(j, std::vector<const char*>(names));
  }
  std::string word_of(const Json& v, const std::string& key) const {
    if (v.is_string()) return v.get<std::string>();
    if (v.is_number() && std::isfinite(v.get<double>())) return csv::number(v.get<double>());
    fail("\"" + key + "\" is neither a number nor a word", "write one value");
  }

  // ---- parts of the file

  void source(const Json& j) {
    fields(j, {"paper", "text", "place", "section", "page", "anchor"});
    study_.source = {text(j, "paper"), text(j, "text"), text(j, "place"), text(j, "section"), text(j, "anchor"), 0};
    if (study_.source.paper.empty() || study_.source.place.empty())
      fail("its source lacks the paper or the place", "say which paper, and which table or figure");
    if (j.contains("page")) study_.source.page = static_cast<int>(std::min<index_t>(whole(j, "page"), 1'000'000));
  }

  static bool is_option(const std::string& key) {
    const auto& all = request_options();
    const auto same = [&](const RequestOption& o) { return key == o.id && key != "solution"; };
    return std::any_of(all.begin(), all.end(), same);
  }
  void words(const Json& j, const char* what, StudyWords& params, StudyWords& options) const {
    for (const auto& [key, value] : object(j, what).items())
      (is_option(key) ? options : params)[key] = word_of(value, key);
  }

  void matrix(const std::string& name, const Json& j) {
    at_ = "matrix \"" + name + "\"";
    fields(j, {"source", "kind", "rows", "columns", "nnz", "hash", "with", "other"});
    StudyMatrix m;
    if (!j.contains("source")) fail("it has no source", "name a file or gen:..., or \"\" and why in \"other\"");
    m.source = text(j, "source"), m.hash = text(j, "hash"), m.other = text(j, "other");
    if (m.source.empty() && m.other.empty()) fail("it has no source", "say in \"other\" why nobody knows it");
    m.kind = word(j, "kind", kKinds, StudyMatrix::Kind::file);
    m.rows = whole(j, "rows"), m.columns = whole(j, "columns"), m.nnz = whole(j, "nnz");
    if (j.contains("with")) words(j.at("with"), "with", m.params, m.options);
    if (!study_.matrices.emplace(name, std::move(m)).second) fail("there are two of that name", "rename one");
  }

  void setup(const std::string& name, const Json& j) {
    at_ = "setup \"" + name + "\"";
    StudySetup s;
    for (const auto& [key, value] : object(j, "setups").items()) {
      if (key == "kernel" || key == "format") {
        (key == "kernel" ? s.kernel : s.format) = text(j, key.c_str());
      } else if (key == "most_products") {
        const index_t most = whole(j, "most_products");
        if (most < 1 || most > 1'000'000) fail("\"most_products\" is no number of products", "write 1 or more");
        s.most_products = static_cast<int>(most);
      } else if (key == "params") {
        for (const auto& [id, v] : object(value, "params").items()) s.params[id] = word_of(v, id);
      } else if (is_option(key)) {
        s.options[key] = word_of(value, key);
      } else {
        fail("unknown field \"" + key + "\"",
             "known: kernel, format, params, most_products, and options of a run such as precision");
      }
    }
    if (s.kernel.empty() && s.format.empty()) fail("it has neither a kernel nor a format", "name one");
    if (!study_.setups.emplace(name, std::move(s)).second) fail("there are two of that name", "rename one");
  }

  void table(const Json& defaults, const Json& j) {
    at_ = "a table";
    fields(j, {"columns", "rows"});
    if (!j.contains("columns") || !j.contains("rows")) fail("it lacks columns or rows", "add both");
    const Json& columns = list(j.at("columns"), "columns");
    for (const Json& column : columns) {
      at_ = "column \"" + (column.is_object() ? text(column, "name") : "") + "\"";
      fields(column, kCellFields);
    }
    for (const Json& row : list(j.at("rows"), "rows")) {
      at_ = "a row";
      fields(row, kCellFields);
      at_ = "row \"" + text(row, "name") + "\"";
      if (!row.contains("cells")) fail("it has no cells", "add one for each column");
      const Json& cells = list(row.at("cells"), "cells");
      Json own = row;  // without its cells, since each of them would copy all of them
      own.erase("cells");
      if (cells.size() != columns.size())
        fail("it has " + std::to_string(cells.size()) + " cells, and the table " + std::to_string(columns.size()) +
                 " columns",
             "write {\"gap\": \"reason\"} where nothing is printed");
      for (std::size_t k = 0; k < cells.size(); ++k) {
        at_ = "row \"" + text(row, "name") + "\", column \"" + text(columns[k], "name") + "\"";
        Json all = defaults;
        all.update(columns[k]);
        all.update(own);
        if (cells[k].is_string())
          all["printed"] = cells[k];
        else if (cells[k].is_object())
          all.update(cells[k]);
        else
          fail("a cell is neither a text nor an object", "write what is printed in quotation marks");
        // Combines the changes of both to the setup.
        Json with = Json::object();
        for (const Json* from : {&defaults, &columns[k], &row, &cells[k]})
          if (from->is_object() && from->contains("with")) with.update(object(from->at("with"), "with"));
        if (!with.empty()) all["with"] = with;
        StudyCell cell = cell_of(all);
        cell.row = text(row, "name"), cell.column = text(columns[k], "name");
        add(std::move(cell));
      }
    }
  }

  void claim(const Json& defaults, const Json& j) {
    at_ = "a claim";
    object(j, "claims");
    at_ = "claim \"" + text(j, "name") + "\"";
    Json all = defaults;
    all.update(j);
    const StudyCell cell = cell_of(all);
    if (cell.claim != Claim::order || !cell.has_recipe()) return add(StudyCell(cell));
    orders(cell, all);
  }

  // Makes one cell for each pair.
  void orders(const StudyCell& claim, const Json& j) {
    const std::vector<std::string> than = texts(j, "than"), than_matrices = texts(j, "than_matrices");
    if (than.empty() == than_matrices.empty())
      fail("an order says what comes behind", "name setups in \"than\", or matrices in \"than_matrices\"");
    std::vector<std::string> on = claim.matrices;
    if (on.empty()) on = {claim.side.matrix};
    for (const std::string& m : on) {
      StudyCell cell = claim;
      cell.matrices.clear();
      cell.side.matrix = known_matrix(m);
      for (const std::string& other : than) {
        cell.over = StudySide{m, {known_setup(other)}};
        cell.column = setups_text(cell.side) + " before " + other + " on " + m;
        add(StudyCell(cell));
      }
      for (const std::string& other : than_matrices) {
        cell.over = StudySide{known_matrix(other), cell.side.setups};
        cell.column = setups_text(cell.side) + ": " + m + " before " + other;
        add(StudyCell(cell));
      }
    }
  }
  static std::string setups_text(const StudySide& side) {
    std::string all;
    for (const std::string& s : side.setups) all += (all.empty() ? "" : " or ") + s;
    return all;
  }

  void add(StudyCell cell) {
    if (study_.cells.size() == kMostStudyCells)
      fail("it has more than " + std::to_string(kMostStudyCells) + " cells", "make several studies of it");
    study_.cells.push_back(std::move(cell));
  }

  // ---- a cell

  const std::string& known_matrix(const std::string& name) const {
    if (study_.matrices.contains(name)) return name;
    std::string known;
    for (const auto& [id, m] : study_.matrices) known += (known.empty() ? "" : ", ") + id;
    fail("there is no matrix \"" + name + "\"", known.empty() ? "the study has none" : "known: " + known);
  }
  const std::string& known_setup(const std::string& name) const {
    if (study_.setups.contains(name)) return name;
    std::string known;
    for (const auto& [id, s] : study_.setups) known += (known.empty() ? "" : ", ") + id;
    fail("there is no setup \"" + name + "\"", known.empty() ? "the study has none" : "known: " + known);
  }

  // Makes a new setup from this one with some changed fields.
  std::string changed(const std::string& name, const Json& with) {
    if (with.empty()) return known_setup(name);
    StudySetup s = study_.setups.at(known_setup(name));
    StudyWords params, options;
    words(with, "with", params, options);
    std::string text;
    for (const StudyWords* w : {&params, &options})
      for (const auto& [key, value] : *w) text += (text.empty() ? "" : ", ") + key + " " + value;
    for (const auto& [key, value] : params) s.params[key] = value;
    for (const auto& [key, value] : options) s.options[key] = value;
    std::string other = name;
    other.append(" (").append(text).append(")");
    study_.setups.emplace(other, std::move(s));
    return other;
  }

  StudySide side(const Json& j, const StudySide& otherwise, const Json& with) {
    StudySide s = otherwise;
    if (j.contains("matrix")) s.matrix = known_matrix(text(j, "matrix"));
    std::vector<std::string> names = texts(j, "best");
    if (names.empty() && j.contains("setup")) names = {text(j, "setup")};
    if (names.empty() && !with.empty()) names = otherwise.setups;
    if (names.empty()) return s;
    s.setups.clear();
    for (const std::string& name : names) s.setups.push_back(changed(name, with));
    return s;
  }

  void printed(const Json& j, StudyCell& c) const {
    c.printed = text(j, "printed");
    c.value = number(j, "value");
    c.gap = text(j, "gap");
    if (!c.gap.empty() && !c.printed.empty()) fail("it is printed and a gap at once", "keep one of them");
    if (!c.gap.empty() || c.claim == Claim::order || c.claim == Claim::winner) {
      if (c.claim == Claim::winner && c.gap.empty() && c.printed.empty()) fail("nobody wins", "print the winner");
      return;
    }
    if (c.printed.empty()) fail("nothing is printed there", "write \"printed\", or \"gap\" with the reason");
    std::string digits = c.printed;
    if (digits.size() > 2 && digits.front() == '(' && digits.back() == ')')
      digits = digits.substr(1, digits.size() - 2);
    std::erase(digits, ',');
    if (digits.ends_with('%')) digits.pop_back();
    const auto read = number_from<double>(digits);
    if (!read && !c.value) fail("\"" + c.printed + "\" is no number", "add its \"value\", or a \"gap\"");
    if (read && c.value && *read != *c.value) fail("\"printed\" and \"value\" are two numbers", "leave \"value\" out");
    if (read) {
      const std::size_t point = digits.find('.');
      c.decimals = point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1);
      c.half_digit = 0.5 * std::pow(10.0, -c.decimals);
      c.value = read;
    }
  }

  StudyCell cell_of(const Json& j) {
    fields(j, kCellFields);
    StudyCell c;
    c.row = text(j, "name");
    c.claim = word(j, "claim", kClaims, Claim::rate);
    printed(j, c);
    c.unit = text(j, "unit"), c.footnote = text(j, "footnote"), c.quote = text(j, "quote"), c.known = text(j, "known");
    c.order_only = text(j, "order_only"), c.not_comparable = text(j, "not_comparable"), c.missing = text(j, "missing");
    c.tolerance = {number(j, "within"), number(j, "points"), number(j, "least"), number(j, "most")};
    if (c.tolerance.within && *c.tolerance.within < 1) fail("\"within\" is below 1", "it is a factor: 1.3");
    if (c.tolerance.points && *c.tolerance.points < 0) fail("\"points\" is below 0", "it is a distance: 5");
    c.quantity = text(j, "quantity"), c.per = text(j, "per");
    c.scale = number(j, "scale").value_or(1);
    c.form = word(j, "form", kForms, Form::ratio);
    c.aggregate = word(j, "aggregate", kAggregates, Aggregate::none);
    c.whole = word(j, "round", kWholes, WholeNumber::no);
    c.absent = number(j, "absent");
    if (!c.has_recipe()) return recipeless(std::move(c), j);
    const Json with = j.contains("with") ? object(j.at("with"), "with") : Json::object();
    if (c.aggregate != Aggregate::none || c.claim == Claim::order)
      for (const std::string& m : texts(j, "matrices")) c.matrices.push_back(known_matrix(m));
    if (c.aggregate != Aggregate::none && c.matrices.empty())
      fail("it is over no matrices", "name them in \"matrices\"");
    c.side = side(j, {}, with);
    if (j.contains("over")) {
      const Json& over = object(j.at("over"), "over");
      fields(over, {"matrix", "matrices", "setup", "best", "with"});
      for (const std::string& m : texts(over, "matrices")) c.over_matrices.push_back(known_matrix(m));
      if (!c.over_matrices.empty() && c.over_matrices.size() != c.matrices.size())
        fail("it is over " + std::to_string(c.over_matrices.size()) + " matrices, and of " +
                 std::to_string(c.matrices.size()),
             "name one for each of \"matrices\", in their order");
      c.over = side(over, c.side, over.contains("with") ? object(over.at("with"), "with") : Json::object());
    }
    if (c.claim == Claim::winner) {
      for (const std::string& s : texts(j, "among")) c.among.push_back(known_setup(s));
      if (c.among.size() < 2) fail("a winner is one of two or more", "name the setups in \"among\"");
      if (std::find(c.among.begin(), c.among.end(), c.printed) == c.among.end())
        fail("the winner \"" + c.printed + "\" does not compete", "print one of \"among\"");
    }
    for (const std::string* q : {&c.quantity, &c.per})
      if (!q->empty()) needs(*q, c);
    return c;
  }

  StudyCell recipeless(StudyCell c, const Json& j) const {
    if (c.missing.empty() && c.not_comparable.empty() && c.gap.empty())
      fail("it has no quantity", "name one, or say why it is \"missing\" or \"not_comparable\"");
    if (j.contains("matrix")) c.side.matrix = known_matrix(text(j, "matrix"));
    return c;
  }

  void needs(const std::string& text, const StudyCell& c) const {
    const StudyQuantity q = read(text);
    const bool winner = c.claim == Claim::winner;
    if (q.of_matrix() && c.side.matrix.empty() && c.matrices.empty())
      fail("\"" + text + "\" is of a matrix", "name it in \"matrix\"");
    if (q.of_setup() && c.side.setups.empty() && !winner)
      fail("\"" + text + "\" is of a setup", "name it in \"setup\"");
  }
  StudyQuantity read(const std::string& text) const {
    try {
      return study_quantity(text);
    } catch (const Error& e) {
      fail(e.reason, e.remedy);
    }
  }

  Study& study_;
  std::string file_, at_;
};

Json parsed(const std::string& text, const std::string& where) {
  if (text.size() > kMostStudyBytes || nested_deeply(text) || parts_of(text) > kMostParts)
    throw Error("this is larger or nested deeper than any study", where, "name the file of a study");
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    throw Error("it is no JSON: " + json_problem(e), where, "compare with the files in assets/studies");
  }
}

}  // namespace

Study study_from_json(const std::string& text, const std::string& where) {
  Study study;
  const Json j = parsed(text, where);
  try {
    Reader(study, where).read(j);
  } catch (const nlohmann::json::exception& e) {
    throw Error("it is no study: " + json_problem(e), where, "compare with the files in assets/studies");
  }
  return study;
}

Study read_study(const std::string& path) {
  return study_from_json(read_file(path, kMostStudyBytes, {"study", "warpspy study list names those that there are"}),
                         path);
}

StudyLot read_lot(const std::string& path) {
  const Json j = parsed(read_file(path, kMostStudyBytes, {"list of studies", "see assets/studies"}), path);
  try {
    StudyLot lot;
    lot.seed = whole_of<std::uint64_t>(j.at("seed"));
    for (const auto& [paper, ids] : j.at("papers").items())
      lot.papers.emplace_back(paper, ids.get<std::vector<std::string>>());
    if (j.contains("later"))
      for (const auto& [paper, ids] : j.at("later").items())
        lot.later.emplace_back(paper, ids.get<std::vector<std::string>>());
    lot.set_aside = j.at("set_aside").get<std::vector<std::string>>();
    return lot;
  } catch (const nlohmann::json::exception& e) {
    throw Error("it is no list of studies: " + json_problem(e), path, "compare with assets/studies/lot.json");
  }
}

std::vector<Study> read_studies(const std::string& folder) {
  namespace fs = std::filesystem;
  const StudyLot lot = read_lot(folder + "/lot.json");
  std::vector<Study> all;
  std::set<std::string> taken;
  const auto take = [&](const std::vector<std::string>& ids) {
    for (const std::string& id : ids)
      if (taken.insert(id).second) all.push_back(read_study((fs::path(folder) / (id + ".json")).string()));
  };
  for (const auto& [paper, ids] : lot.papers) {
    take(ids);
    for (const auto& [of, more] : lot.later)
      if (of == paper) take(more);
  }
  std::vector<std::string> others;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".json" && entry.path().stem() != "lot" && entry.path().stem() != "results" &&
        !taken.contains(entry.path().stem().string()))
      others.push_back(entry.path().string());
  std::sort(others.begin(), others.end());
  for (const std::string& path : others) all.push_back(read_study(path));
  return all;
}

}  // namespace warpspy
