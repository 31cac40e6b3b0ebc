// The studies of assets/studies: every file is valid, its counts are exact, its printed numbers stand in the papers,
// and what is set aside is what the lot says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "core/base/regular_file.hpp"
#include "core/generate/generate.hpp"
#include "core/study/held.hpp"
#include "core/study/plan.hpp"
#include "core/study/verdict.hpp"
#include "profiling/engine/engine.hpp"
#include "tests/lengths_of.hpp"
#include "tests/shared.hpp"

namespace warpspy {
namespace {

namespace fs = std::filesystem;

const std::string kAssets = std::string(WARPSPY_SOURCE_DIR) + "/assets";
const std::string kPapers = std::string(WARPSPY_SHARED_DIR) + "/papers/";

const std::vector<Study>& studies() {
  static const std::vector<Study> all = read_studies(kAssets + "/studies");
  return all;
}
const Catalog& catalog() {
  static const Catalog c = make_catalog(kAssets);
  return c;
}

TEST(StudiesOfThePapers, AreWhatTheLotListsAndSetsAside) {
  const StudyLot lot = read_lot(kAssets + "/studies/lot.json");
  EXPECT_EQ(lot.set_aside, drawn(lot)) << "drawn by its seed, not chosen";
  std::set<std::string> listed;
  for (const auto& [paper, ids] : lot.papers) listed.insert(ids.begin(), ids.end());
  for (const auto& [paper, ids] : lot.later)
    for (const std::string& id : ids) EXPECT_TRUE(listed.insert(id).second) << id << " was in the lot";
  std::vector<std::string> aside;
  for (const Study& s : studies()) {
    EXPECT_TRUE(listed.contains(s.id)) << s.id << " takes part in no lot";
    if (s.set_aside) aside.push_back(s.id);
  }
  EXPECT_EQ(studies().size(), listed.size());
  std::sort(aside.begin(), aside.end());
  EXPECT_EQ(aside, lot.set_aside);
}

TEST(StudiesOfThePapers, NameKernelsParametersAndGpusThatThereAre) {
  for (const Study& s : studies())
    for (const auto& [key, reading] : work_of(s, catalog()).known) {
      const bool unknown = !std::get<0>(key).empty() && s.matrix(std::get<0>(key)).source.empty();
      EXPECT_TRUE(reading.value || unknown)
          << s.id << ", " << std::get<1>(key) << ", " << std::get<2>(key) << ": " << reading.reason;
    }
}

// Of a stand-in the row lengths alone, in the first columns: what these counts see of it, in a tenth of the time.
std::optional<Matrix> lengths_of(const std::string& source) {
  const std::string like = "gen:like?name=";
  if (!source.starts_with(like)) return std::nullopt;
  std::optional<Csr> lengths = testing::lengths_of_like(source.substr(like.size()));
  if (!lengths) return std::nullopt;
  Matrix m;
  m.csr = std::make_shared<const Csr>(std::move(*lengths));
  return m;
}

// What is counted of the matrices that generators make.
class Counts {
 public:
  explicit Counts(const Study& s) : study_(s), work_(work_of(s, catalog())), readings_(work_.known) {
    std::set<std::string> names;
    for (const ReadingKey& key : work_.counts) names.insert(std::get<0>(key));
    for (const std::string& name : names) {
      const std::string& source = s.matrix(name).source;
      if (!source.starts_with("gen:")) continue;
      Progress progress;
      const auto lengths = lengths_of(source);
      const Matrix m = lengths ? *lengths : generate(source, progress);
      require_papers(s, name, m);
      count(s, catalog(), work_, name, m, readings_);
    }
  }
  std::vector<Judged> judged() const { return judged(study_); }
  // The same counts, held against what another file prints.
  std::vector<Judged> judged(const Study& printed) const { return judge(printed, readings_, true); }

 private:
  const Study& study_;
  StudyWork work_;
  Readings readings_;
};

// A count that comes out otherwise is explained: the matrix is a stand-in, or the file says what is known.
bool is_counted(const StudyCell& c, const Judged& j) {
  return c.claim == Claim::exact && j.verdict != CellVerdict::not_comparable && j.here.value;
}
void expect_counts(const Study& s, const std::vector<Judged>& judged, int& exact) {
  for (std::size_t k = 0; k < judged.size(); ++k) {
    const StudyCell& c = s.cells[k];
    if (!is_counted(c, judged[k])) continue;
    const bool agrees = judged[k].verdict == CellVerdict::agrees;
    exact += agrees;
    EXPECT_TRUE(agrees || !c.known.empty() || judged[k].stand_in)
        << s.id << ", " << c.name() << ": printed " << c.printed << ", counted " << *judged[k].here.value << "; "
        << judged[k].reason;
  }
}

// Each number that agrees, with another last digit in the file: that cell alone differs.
void expect_planted_are_found(const Study& s, const Counts& counts, const std::vector<Judged>& judged, int& planted) {
  for (std::size_t k = 0; k < judged.size(); ++k) {
    const StudyTolerance& t = s.cells[k].tolerance;
    if (!is_counted(s.cells[k], judged[k]) || judged[k].verdict != CellVerdict::agrees) continue;
    if (!s.cells[k].value || t.least || t.most) continue;  // an interval has no last digit
    Study wrong = s;
    StudyCell& cell = wrong.cells[k];
    *cell.value += 4 * cell.half_digit + 3 * t.points.value_or(0);
    if (t.within) *cell.value *= *t.within * *t.within * *t.within;
    const std::vector<Judged> found = counts.judged(wrong);
    for (std::size_t other = 0; other < found.size(); ++other)
      EXPECT_EQ(found[other].verdict, other == k ? CellVerdict::differs : judged[other].verdict)
          << s.id << ", " << s.cells[other].name() << " with a wrong number in " << cell.name();
    ++planted;
  }
}

TEST(StudiesOfThePapers, CountsAreExactOrSayWhyNotAndAWrongOneIsFound) {
  int exact = 0, planted = 0;
  for (const Study& s : studies()) {
    SCOPED_TRACE(s.id);
    const Counts counts(s);
    const std::vector<Judged> judged = counts.judged();
    expect_counts(s, judged, exact);
    expect_planted_are_found(s, counts, judged, planted);
  }
  EXPECT_GT(exact, 250);
  EXPECT_GT(planted, 250);
}

std::string read_all(const std::string& path) { return read_file(path, std::uint64_t{1} << 24); }

TEST(StudiesOfThePapers, AWrongNumberPlantedInAFileIsFound) {
  std::string text = read_all(kAssets + "/studies/bg-table1.json");
  const std::size_t at = text.find("\"12\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 4, "\"13\"");
  const Study planted = study_from_json(text);
  const std::vector<Judged> judged = Counts(planted).judged();
  const auto differ =
      std::count_if(judged.begin(), judged.end(), [](const Judged& j) { return j.verdict == CellVerdict::differs; });
  EXPECT_EQ(differ, 1);
}

// What the window says of each simulated GPU comes from what the last page was made of.
TEST(StudiesOfThePapers, EachGpuSaysHowFarItWasHeld) {
  const StudyResults results = read_study_results(kAssets + "/studies");
  std::set<std::string> ids;
  for (const DeviceInfo& d : catalog().devices) {
    if (!d.simulated) continue;
    const std::string& id = d.spec.id;
    ids.insert(id);
    const std::string text = held_text(results, id);
    const auto at = results.gpus.find(id);
    const bool held = at != results.gpus.end() && (at->second.numbers > 0 || !at->second.measured.empty());
    EXPECT_EQ(text.starts_with("held against "), held) << id << ": " << text;
    if (!held) {
      EXPECT_EQ(text, "not held against anything") << id;
      continue;
    }
    EXPECT_LE(at->second.right, at->second.numbers) << id;
    EXPECT_TRUE(fs::exists(std::string(WARPSPY_SOURCE_DIR) + "/" + at->second.source))
        << id << " " << at->second.source;
    if (at->second.numbers > 0) {
      EXPECT_NE(text.find(std::to_string(at->second.numbers) + " printed number"), std::string::npos) << text;
    }
    EXPECT_GE(at->second.median_factor.value_or(1), 1) << id;
  }
  EXPECT_GE(ids.size(), 11u);
  for (const auto& [id, held] : results.gpus) EXPECT_TRUE(ids.contains(id)) << "there is no GPU " << id;
  for (const auto& [id, kept] : results.studies)
    EXPECT_TRUE(std::any_of(studies().begin(), studies().end(), [&](const Study& s) { return s.id == id; })) << id;
}

// Numbers as they stand in a text, without the points and commas behind them.
std::vector<std::string> numbers_of(std::string_view text) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string> all;
  for (std::size_t k = 0; k < text.size();) {
    const bool minus = text[k] == '-' && k + 1 < text.size() && digit(text[k + 1]);
    if (!digit(text[k]) && !minus) {
      ++k;
      continue;
    }
    std::size_t end = k + 1;
    while (end < text.size() && (digit(text[end]) || text[end] == '.' || text[end] == ',')) ++end;
    std::string number(text.substr(k, end - k));
    while (number.back() == '.' || number.back() == ',') number.pop_back();
    all.push_back(std::move(number));
    k = end;
  }
  return all;
}

std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::string without_brackets(const std::string& printed) {
  const bool in = printed.size() > 2 && printed.front() == '(' && printed.back() == ')';
  return in ? printed.substr(1, printed.size() - 2) : printed;
}

// Where a table stands: around its anchor, or all of a text without one.
std::string surroundings(const Study& s, const std::string& text) {
  if (s.source.anchor.empty()) return text;
  const std::size_t at = text.find(s.source.anchor);
  EXPECT_NE(at, std::string::npos) << "no \"" << s.source.anchor << "\" in " << s.source.text;
  if (at == std::string::npos) return {};
  const std::size_t from = at > 4000 ? at - 4000 : 0;
  return text.substr(from, at - from + 6000);
}

// The rows of a study's tables, each the numbers that are printed in it.
std::vector<std::pair<std::string, std::vector<std::string>>> printed_rows(const Study& s) {
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
  for (const StudyCell& c : s.cells) {
    if (c.column.empty() || !c.quote.empty() || c.printed.empty()) continue;
    if (rows.empty() || rows.back().first != c.row) rows.emplace_back(c.row, std::vector<std::string>());
    const std::string number = without_brackets(c.printed);
    if (!numbers_of(number).empty() && numbers_of(number).front() == number) rows.back().second.push_back(number);
  }
  return rows;
}

std::vector<std::string> problems(const Study& s, const std::string& text) {
  std::vector<std::string> found;
  const std::vector<std::string> stream = numbers_of(surroundings(s, text));
  for (const auto& [row, numbers] : printed_rows(s))
    if (std::search(stream.begin(), stream.end(), numbers.begin(), numbers.end()) == stream.end())
      found.push_back(s.id + ", row " + row + ": its numbers do not stand in this order in the paper");
  const std::string line = one_line(text);
  for (const StudyCell& c : s.cells) {
    if (c.quote.empty()) continue;
    if (line.find(one_line(c.quote)) == std::string::npos)
      found.push_back(s.id + ", " + c.name() + ": the paper does not say \"" + c.quote + "\"");
    if (!c.printed.empty() && c.quote.find(c.printed) == std::string::npos)
      found.push_back(s.id + ", " + c.name() + ": " + c.printed + " is not in the quote");
  }
  return found;
}

TEST(StudiesOfThePapers, PrintThePapersNumbers) {
  if (!fs::exists(kPapers)) GTEST_SKIP() << test::needs_shared(kPapers);
  std::size_t numbers = 0;
  for (const Study& s : studies()) {
    const std::string text = read_all(kPapers + s.source.text);
    for (const std::string& p : problems(s, text)) ADD_FAILURE() << p;
    for (const StudyCell& c : s.cells) numbers += !c.printed.empty();
  }
  EXPECT_GT(numbers, 1000u);
}

TEST(StudiesOfThePapers, ASlipOfThePenIsFoundInThePaper) {
  if (!fs::exists(kPapers)) GTEST_SKIP() << test::needs_shared(kPapers);
  for (const auto& [id, from, to] :
       {std::tuple{"bg-table3", "2,999,998", "2,999,989"}, std::tuple{"hr-table7", "12.08", "12.80"},
        std::tuple{"evc-figure8", "444", "445"}}) {
    std::string text = read_all(kAssets + "/studies/" + id + ".json");
    text.replace(text.find('"' + std::string(from) + '"') + 1, std::string(from).size(), to);
    const Study s = study_from_json(text);
    EXPECT_FALSE(problems(s, read_all(kPapers + s.source.text)).empty()) << id;
  }
}

// A small study of our own, modelled from end to end by the engine that all use.
TEST(StudiesOfThePapers, ASmallOneIsModelledFromEndToEnd) {
  const Study s = study_from_json(R"({"schema": "warpspy-study-1", "id": "small", "title": "Small",
    "source": {"paper": "Nobody 2026", "place": "Table 1"},
    "matrices": {"grid": {"source": "gen:laplace5?nx=64&ny=64", "kind": "generator", "rows": 4096}},
    "setups": {"ELL": {"kernel": "ell", "precision": "f32", "device": "gtx280", "depth": "quick"},
               "scalar": {"kernel": "csr_scalar", "precision": "f32", "device": "gtx280", "depth": "quick"},
               "EVC": {"kernel": "evc_hyb", "precision": "f64", "device": "k20x", "depth": "quick"}},
    "defaults": {"matrix": "grid"},
    "claims": [
      {"name": "entries", "claim": "exact", "printed": "20,224", "quantity": "matrix.nnz"},
      {"name": "width", "claim": "exact", "printed": "5", "quantity": "matrix.longest_row"},
      {"name": "order", "claim": "order", "quantity": "run.gflops", "setup": "ELL", "than": ["scalar"]},
      {"name": "gain", "claim": "ratio", "printed": "1000", "quantity": "run.gflops", "setup": "ELL", "over": {"setup": "scalar"}},
      {"name": "latency", "claim": "rate", "printed": "300", "within": 3, "quantity": "analysis.latency.x", "setup": "EVC"}]})");
  const std::unique_ptr<Engine> engine = make_engine(kAssets);
  Executor executor(*engine, catalog());
  Matrix m;
  const MatrixOf open = [&](const std::string& source, Progress& p) -> const Matrix& {
    return m = generate(source, p);
  };
  Progress progress;
  const StudyRun run = run_study(s, work_of(s, catalog()), catalog(), executor, open, progress);
  EXPECT_EQ(run.left, 0u);
  const std::vector<Judged> judged = judge(s, run.readings, true);
  for (const Judged& j : judged) EXPECT_TRUE(j.here.value) << j.reason;
  EXPECT_EQ(judged[0].verdict, CellVerdict::agrees);
  EXPECT_EQ(judged[1].verdict, CellVerdict::agrees);
  EXPECT_EQ(judged[2].verdict, CellVerdict::agrees) << judged[2].reason;
  EXPECT_EQ(judged[3].verdict, CellVerdict::differs) << "no kernel is a thousand times another";
}

}  // namespace
}  // namespace warpspy
