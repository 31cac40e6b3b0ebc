#include "core/io/edge_list.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "core/io/chunks.hpp"
#include "core/io/edge_chunk.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/sniff.hpp"
#include "core/io/words.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

bool is_whole(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

char separator_of(std::string_view line) {
  for (const char c : {';', ','})
    if (line.find(c) != std::string_view::npos) return c;
  return ' ';
}

// The lines before the first edge: comments, and perhaps a line of column titles.
struct Beginning {
  int lines = 0;         // number of lines before the first edge
  std::string comments;  // in lower case
  std::string titles;
  std::string_view first;  // line of the first edge; empty: no edges
};

Beginning beginning_of(std::string_view head) {
  Beginning b;
  while (!head.empty()) {
    auto line = head.substr(0, head.find('\n'));
    const std::size_t whole = line.size() + 1;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    const auto fields = edge_fields(line, separator_of(line));
    if (!line.empty() && !begins_comment(line.front())) {
      if (fields.size() >= 2 && is_whole(fields[0]) && is_whole(fields[1])) {
        b.first = line;
        return b;
      }
      const bool titles =
          fields.size() >= 2 && std::none_of(fields.begin(), fields.end(), [](std::string_view f) {
            return f.empty() || std::isdigit(static_cast<unsigned char>(f[0])) || f[0] == '-' || f[0] == '+';
          });
      if (!titles || !b.titles.empty()) return b;
      b.titles = line;
    }
    if (!line.empty() && begins_comment(line.front())) {
      for (const char c : line) b.comments += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      b.comments += '\n';
    }
    ++b.lines;
    head.remove_prefix(std::min(whole, head.size()));
  }
  return b;
}

enum class Direction { unsaid, directed, undirected, bipartite };

// SNAP writes "Undirected graph: ..."; KONECT's first line is "% sym ...", "% asym ..." or "% bip ...".
Direction direction_in(const std::string& comments) {
  const auto first = words_of(std::string_view(comments).substr(0, comments.find('\n')));
  if (first.size() >= 2 && first[0] == "%") {
    if (first[1] == "sym") return Direction::undirected;
    if (first[1] == "asym") return Direction::directed;
    if (first[1] == "bip") return Direction::bipartite;
  }
  if (comments.find("undirected") != std::string::npos) return Direction::undirected;
  return comments.find("directed") != std::string::npos ? Direction::directed : Direction::unsaid;
}

// "Edges: N" of SNAP's comments, or -1.
index_t promised_edges(const std::string& comments) {
  const auto at = comments.find("edges:");
  if (at == std::string::npos) return -1;
  const auto words = words_of(std::string_view(comments).substr(at + 6, 40));
  index_t n = -1;
  if (words.empty() || std::from_chars(words[0].data(), words[0].data() + words[0].size(), n).ec != std::errc())
    return -1;
  return n;
}

// The edges of one chunk, kept until all chunks are read.
struct Piece {
  std::vector<std::int64_t> from, to;
  std::vector<double> weight;
};

class EdgeListReader {
 public:
  EdgeListReader(TextStream& text, const ReadLimits& limits, Progress& progress)
      : text_(text), limits_(limits), progress_(progress) {}

  Matrix read(const std::string& location) {
    begin();
    text_edges();
    const index_t base = options().base.value_or(least_ == 0 ? 0 : 1);
    if (base == 1 && least_ == 0)
      throw Error("vertex 0 occurs, but the vertices are said to be counted from 1", text_.source().label(),
                  "leave out base=1");
    if (edges_ == 0) throw Error("the list has no edges", text_.source().label(), "expected FROM TO in every line");
    const Direction direction = this->direction();
    SourceFacts facts;
    facts.field = !shape_.weights ? "pattern" : whole_ ? "integer" : "real";
    facts.entries_in_file = edges_;
    facts.warnings = told(base, direction);
    MmHeader h;
    MmCounts counts;
    counts.not_finite = not_finite_;
    for (auto& w : warnings_of(h, counts)) facts.warnings.push_back(std::move(w));
    Matrix m = finish_reading(triplets(base, direction), std::move(facts), location, progress_);
    if (direction == Direction::undirected) mirror(m);
    return m;
  }

 private:
  const ReadOptions& options() const { return limits_.options; }
  [[noreturn]] void fail(index_t line, const std::string& reason, const std::string& expected) const {
    throw Error(reason, text_.source().label() + ":" + std::to_string(line), expected);
  }

  void begin() {
    beginning_ = beginning_of(text_.ahead());
    if (beginning_.first.empty()) refuse_content(text_.ahead(), text_.source().label());
    shape_.separator = separator_of(beginning_.first);
    const auto fields = edge_fields(beginning_.first, shape_.separator);
    shape_.fields = static_cast<int>(fields.size());
    shape_.braces = fields.size() == 3 && fields[2] == "{}";
    if (fields.size() > 2 && fields[2].starts_with('{') && !shape_.braces)
      fail(beginning_.lines + 1, "the edges have attributes such as " + in_quotes(fields[2]),
           "write them with networkx.write_weighted_edgelist, or with data=False");
    shape_.weights = options().weights.value_or(fields.size() > 2 && !shape_.braces);
    if (shape_.weights && (fields.size() < 3 || shape_.braces))
      fail(beginning_.lines + 1, "the edges have no third field for weights", "leave out weights=1");
    beginning_.first = {};  // the buffer moves on
    std::string_view line;
    for (int k = 0; k < beginning_.lines; ++k) text_.line(line);
  }

  void text_edges() {
    index_t line = text_.lines() + 1;
    for_each_chunk<EdgeChunk>(
        text_, progress_, [&](EdgeChunk& c) { parse_edges(shape_, c); },
        [&](EdgeChunk& c) {
          if (c.bad_line >= 0) fail(line + c.bad_line, c.reason, c.expected);
          const auto n = static_cast<index_t>(c.from.size());
          line += n + c.skipped;
          edges_ += n;
          least_ = std::min(least_, c.least);
          most_from_ = std::max(most_from_, c.most_from);
          most_to_ = std::max(most_to_, c.most_to);
          not_finite_ += c.not_finite;
          whole_ = whole_ && c.whole;
          require_memory(std::max(most_from_, most_to_) + 1, most_to_ + 1, static_cast<double>(edges_), false, limits_,
                         text_.source().label() + ":" + std::to_string(line - 1));
          pieces_.push_back({c.from, c.to, c.weight});
        });
  }

  Direction direction() const {
    if (options().bipartite.value_or(false)) return Direction::bipartite;
    if (options().undirected) return *options().undirected ? Direction::undirected : Direction::directed;
    const Direction said = direction_in(beginning_.comments);
    return said == Direction::bipartite && options().bipartite ? Direction::unsaid : said;
  }

  std::vector<std::string> told(index_t base, Direction direction) const {
    const char* separator = shape_.separator == ',' ? "commas" : shape_.separator == ';' ? "semicolons" : "blanks";
    std::string text = "A list of edges, separated by " + std::string(separator) + "; counted from " +
                       std::to_string(base) +
                       (options().base ? " as you said"
                        : base == 0    ? ", because vertex 0 occurs"
                                       : ", because no vertex 0 occurs");
    text += shape_.weights ? "; with weights" : "; without weights: every value is 1";
    switch (direction) {
      case Direction::unsaid:
        text += "; each line is one entry, since nothing says that the edges are undirected (FILE?undirected=1 does)";
        break;
      case Direction::directed:
        text += "; directed";
        break;
      case Direction::undirected:
        text += options().undirected ? "; undirected as you said" : "; undirected, as its comments say";
        break;
      case Direction::bipartite:
        text += "; from rows to columns of two kinds";
        break;
    }
    std::vector<std::string> all = {text + "."};
    if (!beginning_.titles.empty())
      all.push_back("The line of titles " + in_quotes(beginning_.titles) + " was passed over.");
    const int read = shape_.weights ? 3 : 2;
    if (shape_.fields > read && !shape_.braces)
      all.push_back("Only the first " + std::to_string(read) + " of " + std::to_string(shape_.fields) +
                    " fields were read.");
    const index_t promised = promised_edges(beginning_.comments);
    if (promised >= 0 && promised != edges_)
      all.push_back("The comments promise " + std::to_string(promised) + " edges, but there are " +
                    std::to_string(edges_) + ".");
    return all;
  }

  Coo triplets(index_t base, Direction direction) {
    index_t rows = most_from_ + 1 - base, cols = most_to_ + 1 - base;
    if (direction != Direction::bipartite) rows = cols = std::max(rows, cols);
    const bool narrow = Indices::fits32(rows) && Indices::fits32(cols);
    return narrow ? gather<std::int32_t>(rows, cols, base) : gather<std::int64_t>(rows, cols, base);
  }

  template <class I>
  Coo gather(index_t rows, index_t cols, index_t base) {
    const auto n = static_cast<std::size_t>(edges_);
    std::vector<std::size_t> at(pieces_.size() + 1, 0);
    for (std::size_t p = 0; p < pieces_.size(); ++p) at[p + 1] = at[p] + pieces_[p].from.size();
    std::vector<I> row = zeroed<I>(n), col = zeroed<I>(n);
    std::vector<double> value = zeroed<double>(n);
    tbb::parallel_for(std::size_t{0}, pieces_.size(), [&](std::size_t p) {
      Piece piece = std::move(pieces_[p]);
      for (std::size_t k = 0; k < piece.from.size(); ++k) {
        row[at[p] + k] = static_cast<I>(piece.from[k] - base);
        col[at[p] + k] = static_cast<I>(piece.to[k] - base);
        value[at[p] + k] = shape_.weights ? piece.weight[k] : 1;
      }
    });
    pieces_.clear();
    return {rows, cols, Indices(std::move(row)), Indices(std::move(col)), std::move(value), {}};
  }

  // Adds (j, i) for every (i, j) that has no mirror.
  void mirror(Matrix& m) const {
    const Csr& a = *m.csr;
    const auto alone = [&](index_t i, index_t k) { return a.columns()[k] != i && a.find(a.columns()[k], i) < 0; };
    std::vector<index_t> at(static_cast<std::size_t>(a.rows()) + 1, 0);
    const auto each_row = [&](auto&& f) {
      tbb::parallel_for(tbb::blocked_range<index_t>(0, a.rows(), 1024), [&](const auto& range) {
        progress_.check();
        for (index_t i = range.begin(); i < range.end(); ++i) f(i);
      });
    };
    each_row([&](index_t i) {
      for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) at[i + 1] += alone(i, k);
    });
    for (index_t i = 0; i < a.rows(); ++i) at[i + 1] += at[i];
    m.source.symmetry = "symmetric";
    const index_t added = at.back(), diagonal_or_paired = a.nnz() - added;
    if (added == 0) return m.source.warnings.push_back("Every edge stands both ways already; nothing was mirrored.");
    const auto n = static_cast<std::size_t>(a.nnz() + added);
    require_memory(a.rows(), a.cols(), static_cast<double>(n), false, limits_, text_.source().label());
    Coo coo{a.rows(), a.cols(), Indices::sized(a.rows(), n), Indices::sized(a.rows(), n), zeroed<double>(n), {}};
    coo.row.visit_mut([&](auto row) {
      coo.col.visit_mut([&](auto col) {
        using I = std::remove_reference_t<decltype(row[0])>;
        each_row([&](index_t i) {
          index_t out = a.row_ptr()[i] + at[i];
          const auto put = [&](index_t r, index_t c, double v) {
            row[out] = static_cast<I>(r), col[out] = static_cast<I>(c), coo.values[out++] = v;
          };
          for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) {
            const index_t j = a.columns()[k];
            put(i, j, a.values()[k]);
            if (alone(i, k)) put(j, i, a.values()[k]);
          }
        });
      });
    });
    m.csr = std::make_shared<const Csr>(csr_from_coo(std::move(coo)));
    if (diagonal_or_paired > 0)
      m.source.warnings.push_back(std::to_string(added) + " entries were mirrored; the other " +
                                  std::to_string(diagonal_or_paired) + " are on the diagonal or stand both ways.");
  }

  TextStream& text_;
  const ReadLimits& limits_;
  Progress& progress_;
  Beginning beginning_;
  EdgeShape shape_;
  std::vector<Piece> pieces_;
  index_t edges_ = 0, least_ = INT64_MAX, most_from_ = -1, most_to_ = -1, not_finite_ = 0;
  bool whole_ = true;
};

}  // namespace

bool looks_edges(std::string_view head) { return !beginning_of(head).first.empty(); }

Matrix read_edges(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    TextStream text(source);
    return EdgeListReader(text, limits, progress).read(location);
  });
}

}  // namespace warpspy
