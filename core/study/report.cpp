#include "core/study/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/csv.hpp"
#include "core/base/foreign_text.hpp"
#include "core/base/json_text.hpp"
#include "core/base/numbers.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

std::string short_number(double v) {
  char text[48];
  const double size = std::abs(v);
  const bool whole = v == std::floor(v) && size < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : size >= 1000 ? "%.1f" : "%.4g", v);
  return text;
}

std::string counts_text(const StudyCounts& c) {
  std::string text;
  for (int v = 0; v < kVerdicts; ++v) {
    const int n = c.verdicts[static_cast<std::size_t>(v)];
    if (n > 0) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + name_of(static_cast<CellVerdict>(v));
  }
  if (c.pairs > 0)
    text += "; " + std::to_string(c.pairs_right) + " of " + std::to_string(c.pairs) + " pairs in the printed order";
  return text;
}

bool any(const StudyCounts& c) {
  return std::any_of(c.verdicts.begin(), c.verdicts.end(), [](int n) { return n > 0; });
}

// Left-aligned columns of a terminal.
class Columns {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_)
      for (std::size_t k = 0; k + 1 < row.size(); ++k) {
        if (widths.size() <= k) widths.push_back(0);
        widths[k] = std::max(widths[k], row[k].size());
      }
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t k = 0; k < row.size(); ++k) {
        line += (k == 0 ? "" : "  ") + row[k];
        if (k + 1 < row.size()) line.append(widths[k] - row[k].size(), ' ');
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string latex(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\textbackslash{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out.append("\\").push_back(c);
    else if (c == '~' || c == '^')
      out.append("\\").append(1, c).append("{}");
    else if (c == '<' || c == '>')
      out.append("$").append(1, c).append("$");
    else if (c == '\n' || c == '\r')
      out += ' ';
    else
      out += c;
  }
  return out;
}

Json of_judged(const StudyCell& c, const Judged& j) {
  Json out = {{"value", j.here.value ? Json(*j.here.value) : Json()},
              {"provenance", j.here.value ? Json(name_of(j.here.provenance)) : Json()},
              {"verdict", name_of(j.verdict)},
              {"reason", j.reason}};
  if (c.claim == Claim::winner) out["winner"] = j.winner.empty() ? Json() : Json(j.winner);
  if (j.pairs > 0) out["pairs"] = j.pairs, out["pairs_right"] = j.pairs_right;
  return out;
}

Json of_counts(const StudyCounts& c) {
  Json out;
  for (int v = 0; v < kVerdicts; ++v)
    out[name_of(static_cast<CellVerdict>(v))] = c.verdicts[static_cast<std::size_t>(v)];
  out["pairs"] = c.pairs, out["pairs_right"] = c.pairs_right;
  return out;
}

Json of_summary(const StudySummary& s) {
  const auto optional = [](const std::optional<double>& v) { return v ? Json(*v) : Json(); };
  return {{"own", of_counts(s.own)},
          {"stand_ins", of_counts(s.stand_ins)},
          {"tau", optional(s.tau)},
          {"rates", s.factors.size()},
          {"median_factor", optional(s.median_factor())},
          {"share_within_2", optional(s.share_within(2))}};
}

const char* kModelled = "modelled";

std::string here_name(const StudyReport& r) { return r.device.empty() ? "here" : r.device; }

}  // namespace

std::string value_text(const StudyCell& c, const Judged& j) {
  if (c.claim == Claim::winner) return j.winner;
  return j.here.value ? short_number(*j.here.value) : "";
}

std::string printed_text(const StudyCell& c) {
  if (!c.gap.empty()) return "-";
  return c.claim == Claim::order ? "> 1" : c.printed;
}

std::string verdict_text(const Judged& j) {
  return std::string(name_of(j.verdict)) + (j.stand_in && j.verdict != CellVerdict::missing ? " (stand-in)" : "");
}

std::string source_text(const Study& s) {
  return s.source.paper + ", " + s.source.place + (s.source.section.empty() ? "" : ", section " + s.source.section) +
         (s.source.page > 0 ? ", page " + std::to_string(s.source.page) : "");
}

std::string recipe_text(const StudyCell& c) {
  if (!c.has_recipe()) return c.gap + c.not_comparable + c.missing;
  const auto joined = [](const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
    return all;
  };
  std::string text = c.quantity + (c.per.empty() ? "" : " per " + c.per);
  if (!c.side.setups.empty()) text += " of " + joined(c.side.setups);
  if (!c.among.empty()) text += " among " + joined(c.among);
  if (c.over)
    text += ", over " + joined(c.over->setups) + (c.over->matrix == c.side.matrix ? "" : " on " + c.over->matrix);
  if (!c.side.matrix.empty() && c.matrices.empty()) text += " on " + c.side.matrix;
  if (!c.matrices.empty()) text += " over " + counted(static_cast<index_t>(c.matrices.size()), "matrix", "matrices");
  return text;
}

std::string explanation_of(const StudyCell& c, const Judged& j) {
  if (j.verdict != CellVerdict::differs) return "";
  if (!c.known.empty()) return c.known;
  return j.stand_in ? "unexplained, on a stand-in" : "unexplained";
}

std::string gpu_of(const Study& s, const StudyCell& c) {
  for (const std::vector<std::string>* setups : {&c.side.setups, &c.among})
    for (const std::string& name : *setups) {
      const StudyWords& options = s.setup(name).options;
      if (const auto id = options.find("device"); id != options.end()) return id->second;
    }
  return "";
}

Study only_cells(const Study& s, const std::vector<std::string>& names) {
  std::set<std::string> wanted(names.begin(), names.end()), groups;
  Study out = s;
  out.cells.clear();
  for (const std::string& name : names)
    if (std::none_of(s.cells.begin(), s.cells.end(), [&](const StudyCell& c) { return c.name() == name; }))
      throw Error("there is no cell called " + name, "study " + s.id, "warpspy study show " + s.id + " names them");
  for (const StudyCell& c : s.cells)
    if (wanted.contains(c.name())) groups.insert(order_group_of(c));
  groups.erase("");
  for (const StudyCell& c : s.cells)
    if (wanted.contains(c.name()) || groups.contains(order_group_of(c))) out.cells.push_back(c);
  return out;
}

std::string verdicts_text(const std::vector<Judged>& judged) {
  StudyCounts all;
  for (const Judged& j : judged) ++all.verdicts[static_cast<std::size_t>(j.verdict)];
  return counts_text(all);
}

std::string summary_text(const StudySummary& s) {
  std::string text;
  if (any(s.own)) text += "  on the paper's matrices, or none: " + counts_text(s.own) + "\n";
  if (any(s.stand_ins)) text += "  on stand-ins: " + counts_text(s.stand_ins) + "\n";
  if (s.tau) text += "  Kendall's tau within a matrix, mean: " + short_number(*s.tau) + "\n";
  if (s.median_factor())
    text += "  " + std::to_string(s.factors.size()) + " rates: median within " + short_number(*s.median_factor()) +
            " times, " + short_number(100 * *s.share_within(2)) + " % within 2 times\n";
  return text;
}

std::string to_text(const StudyReport& r) {
  const Study& s = *r.study;
  std::string out = s.id + ": " + s.title + "\n" + source_text(s) + (s.set_aside ? ", set aside" : "") + "\n";
  for (const std::string& note : s.notes) out += "  " + note + "\n";
  Columns columns;
  std::vector<std::string> head = {"cell", "unit", "printed", kModelled};
  if (!r.here.empty()) head.push_back(here_name(r)), head.emplace_back("verdict here");
  head.insert(head.end(), {"verdict", "why"});
  columns.add(head);
  for (std::size_t k = 0; k < s.cells.size(); ++k) {
    const StudyCell& c = s.cells[k];
    std::vector<std::string> row = {c.name(), c.unit == "1" ? "" : c.unit,
                                    printed_text(c) + (c.footnote.empty() ? "" : "*"), value_text(c, r.modelled[k])};
    if (!r.here.empty()) row.push_back(value_text(c, r.here[k])), row.push_back(verdict_text(r.here[k]));
    row.push_back(verdict_text(r.modelled[k]));
    row.push_back(r.modelled[k].reason);
    columns.add(std::move(row));
  }
  out += columns.text();
  for (const StudyCell& c : s.cells)
    if (!c.footnote.empty()) out += "  * " + c.name() + ": " + c.footnote + "\n";
  out += "modelled on the paper's GPU\n" + summary_text(summarise(s, r.modelled));
  if (!r.here.empty()) out += here_name(r) + "\n" + summary_text(summarise(s, r.here));
  return harmless(out);
}

std::string to_csv(const StudyReport& r) {
  const Study& s = *r.study;
  std::string out;
  std::vector<std::string> head = {"study",    "row",      "column",  "claim",   "unit",  "printed",
                                   "footnote", "stand-in", kModelled, "verdict", "reason"};
  if (!r.here.empty()) head.insert(head.end(), {"device", "here", "provenance here", "verdict here", "reason here"});
  csv::add_line(out, head);
  for (std::size_t k = 0; k < s.cells.size(); ++k) {
    const StudyCell& c = s.cells[k];
    const Judged& m = r.modelled[k];
    const auto value = [&](const Judged& j) {
      return c.claim == Claim::winner ? j.winner : j.here.value ? csv::number(*j.here.value) : "";
    };
    std::vector<std::string> row = {s.id,       c.row,
                                    c.column,   name_of(c.claim),
                                    c.unit,     c.printed,
                                    c.footnote, m.stand_in ? "yes" : "no",
                                    value(m),   name_of(m.verdict),
                                    m.reason};
    if (!r.here.empty()) {
      const Judged& h = r.here[k];
      row.insert(row.end(),
                 {r.device, value(h), h.here.value ? name_of(h.here.provenance) : "", name_of(h.verdict), h.reason});
    }
    csv::add_line(out, row);
  }
  return out;
}

std::string to_json(const StudyReport& r) {
  const Study& s = *r.study;
  Json j = {{"schema", "warpspy-study-result-1"},
            {"id", s.id},
            {"title", s.title},
            {"paper", s.source.paper},
            {"place", s.source.place},
            {"set_aside", s.set_aside},
            {"made_by", r.made_by},
            {"device", r.here.empty() ? Json() : Json(r.device)},
            {"summary", of_summary(summarise(s, r.modelled))},
            {"summary_here", r.here.empty() ? Json() : of_summary(summarise(s, r.here))},
            {"cells", Json::array()}};
  for (std::size_t k = 0; k < s.cells.size(); ++k) {
    const StudyCell& c = s.cells[k];
    Json cell = {{"row", c.row},
                 {"column", c.column},
                 {"claim", name_of(c.claim)},
                 {"unit", c.unit},
                 {"printed", c.printed.empty() ? Json() : Json(c.printed)},
                 {"gpu", gpu_of(s, c).empty() ? Json() : Json(gpu_of(s, c))},
                 {"tolerance", tolerance_text(c)},
                 {"stand_in", r.modelled[k].stand_in}};
    if (!c.known.empty()) cell["known"] = c.known;
    if (const std::string why = explanation_of(c, r.modelled[k]); !why.empty()) cell["explanation"] = why;
    if (!c.footnote.empty()) cell["footnote"] = c.footnote;
    cell["modelled"] = of_judged(c, r.modelled[k]);
    if (!r.here.empty()) cell["here"] = of_judged(c, r.here[k]);
    j["cells"].push_back(std::move(cell));
  }
  return json_text(j) + "\n";
}

std::string to_latex(const StudyReport& r) {
  const Study& s = *r.study;
  const bool here = !r.here.empty();
  std::string out = "% " + s.id + ", by " + r.made_by + "; needs booktabs and longtable\n\\begin{longtable}{ll" +
                    std::string(here ? "rrrll" : "rrl") + "}\n\\caption{" +
                    latex(s.title + " (" + source_text(s) + ")") + "}\\\\\n\\toprule\n";
  out += std::string("Cell & Unit & Printed & Modelled & ") +
         (here ? latex(here_name(r)) + " & Verdict & Verdict here" : "Verdict") +
         " \\\\\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n";
  for (std::size_t k = 0; k < s.cells.size(); ++k) {
    const StudyCell& c = s.cells[k];
    out += latex(c.name()) + " & " + latex(c.unit == "1" ? "" : c.unit) + " & " + latex(printed_text(c)) + " & " +
           latex(value_text(c, r.modelled[k]));
    if (here) out += " & " + latex(value_text(c, r.here[k]));
    out += " & " + latex(verdict_text(r.modelled[k]));
    if (here) out += " & " + latex(verdict_text(r.here[k]));
    out += " \\\\\n";
  }
  return out + "\\end{longtable}\n";
}

std::string deviations_of(const StudyReport& r) {
  const Study& s = *r.study;
  std::string out =
      "# Deviations of " + s.id + "\n\n" + markdown_escaped(s.title) + " (" + markdown_escaped(source_text(s)) + ")\n";
  const auto list = [&](const std::string& where, const std::vector<Judged>& judged) {
    out += "\n## " + markdown_escaped(where) + "\n\n";
    std::size_t n = 0;
    for (std::size_t k = 0; k < judged.size(); ++k) {
      if (judged[k].verdict != CellVerdict::differs) continue;
      const StudyCell& c = s.cells[k];
      const std::string unit = c.unit == "1" || c.unit.empty() ? "" : " " + c.unit;
      out += "- " + markdown_escaped(c.name()) + ": printed " + markdown_escaped(printed_text(c) + unit) + ", here " +
             markdown_escaped(value_text(c, judged[k]) + unit) + ". " +
             (explanation_of(c, judged[k]).starts_with("unexplained") ? "Unexplained: " : "") +
             markdown_escaped(judged[k].reason) + ".\n";
      ++n;
    }
    if (n == 0) out += "None.\n";
  };
  list("Modelled on the paper's GPU", r.modelled);
  if (!r.here.empty()) list(here_name(r), r.here);
  return out;
}

namespace {

std::string set_aside_text(const Study& s) { return s.set_aside ? " --set-aside" : ""; }

std::string claims_of(const StudyReport& r) {
  const Study& s = *r.study;
  std::string out;
  std::vector<std::string> head = {"claim", "kind", "printed", "unit", "tolerance", "modelled", "verdict", "reason"};
  if (!r.here.empty()) head.insert(head.end(), {here_name(r), "verdict there"});
  head.emplace_back("command");
  csv::add_line(out, head);
  for (std::size_t k = 0; k < s.cells.size(); ++k) {
    const StudyCell& c = s.cells[k];
    const Judged& j = r.modelled[k];
    std::vector<std::string> row = {c.name(),          name_of(c.claim), printed_text(c), c.unit,
                                    tolerance_text(c), value_text(c, j), verdict_text(j), j.reason};
    if (!r.here.empty()) row.insert(row.end(), {value_text(c, r.here[k]), verdict_text(r.here[k])});
    row.push_back(
        c.has_recipe() ? "warpspy study run study.json" + set_aside_text(s) + " --cell " + shell_quoted(c.name()) : "");
    csv::add_line(out, row);
  }
  return out;
}

std::string readme_of(const StudyReport& r) {
  const Study& s = *r.study;
  std::string out = "# " + s.id + ": " + markdown_escaped(s.title) + "\n\n" + markdown_escaped(source_text(s)) +
                    ", made again by " + markdown_escaped(r.made_by) + ".\n\n";
  for (const std::string& note : s.notes) out += markdown_escaped(note) + "\n\n";
  out +=
      "| file | is |\n|---|---|\n"
      "| `study.json` | the study: what is printed, how each number is made again, what agrees with it |\n"
      "| `claims.csv` | one line for each claim: its tolerance, its verdict, the command that tries it alone |\n"
      "| `study.txt`, `study.csv`, `study.result.json`, `study.tex` | the result; the last needs booktabs and "
      "longtable |\n"
      "| `deviations.md` | every number that differs, and why |\n\n"
      "All of it again, in this folder: `warpspy study run study.json" +
      set_aside_text(s) +
      " -o .` The command of a claim ends with 0 "
      "where it holds and with 4 where it does not. Tolerances stand in the study, and were written before it was "
      "run.\n\n"
      "## Modelled on the paper's GPU\n\n```\n" +
      summary_text(summarise(s, r.modelled)) + "```\n";
  if (!r.here.empty())
    out += "\n## " + markdown_escaped(here_name(r)) + "\n\n```\n" + summary_text(summarise(s, r.here)) + "```\n";
  std::string others;
  for (const auto& [name, m] : s.matrices)
    if (m.kind == StudyMatrix::Kind::stand_in)
      others += "- " + markdown_escaped(name) + ": `" + m.source + "`" +
                (m.other.empty() ? "" : "; " + markdown_escaped(m.other)) + "\n";
  if (!others.empty())
    out +=
        "\n## Stand-ins\n\nThese matrices are not the paper's. `--matrix NAME=FILE` puts the paper's own in their "
        "place.\n\n" +
        others;
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> bundle_of(const StudyReport& r, const std::string& study_file) {
  return {{"README.md", readme_of(r)}, {"study.json", study_file},         {"claims.csv", claims_of(r)},
          {"study.txt", to_text(r)},   {"study.csv", to_csv(r)},           {"study.result.json", to_json(r)},
          {"study.tex", to_latex(r)},  {"deviations.md", deviations_of(r)}};
}

}  // namespace warpspy
