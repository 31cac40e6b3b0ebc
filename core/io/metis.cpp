#include "core/io/metis.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <type_traits>

#include "core/io/chunks.hpp"
#include "core/io/mm_number.hpp"
#include "core/io/sniff.hpp"
#include "core/io/words.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

constexpr auto kExpected = "expected VERTICES EDGES [FORMAT [WEIGHTS PER VERTEX]]";

struct MetisHeader {
  index_t vertices = 0, edges = 0, line = 0;
  bool sizes = false, vertex_weights = false, edge_weights = false;
  index_t weights_per_vertex = 1;
  // How many numbers of a line come before the neighbours, and how many belong to each neighbour.
  index_t before() const { return sizes + (vertex_weights ? weights_per_vertex : 0); }
  index_t step() const { return edge_weights ? 2 : 1; }
};

// A chunk of lines, each with the numbers of one vertex.
struct Chunk {
  std::vector<char> text;
  std::vector<double> numbers;
  std::vector<index_t> lengths;   // how many numbers each line has, without comment lines
  std::vector<index_t> comments;  // number of lines before each
  std::string bad;                // the word that is not a number, in line `lengths.size()`
};

void parse(Chunk& c) {
  c.numbers.clear();
  c.lengths.clear();
  c.comments.clear();
  c.bad.clear();
  const char* p = c.text.data();
  const char* const end = p + c.text.size();
  while (p < end) {
    if (*p == '%') {
      c.comments.push_back(static_cast<index_t>(c.lengths.size()));
      p = std::find(p, end, '\n') + 1;
      continue;
    }
    const std::size_t first = c.numbers.size();
    for (p = skip_blanks(p); *p != '\n'; p = skip_blanks(p)) {
      const char* start = p;
      double value = 0;
      std::uint64_t n = 0;
      const char* stop = parse_digits(p, n);
      if (stop && ends_number(*stop)) {
        value = static_cast<double>(n);
      } else {
        stop = parse_real(p, end, value);
      }
      if (!stop) {
        while (!ends_number(*p)) ++p;
        c.bad.assign(start, p);
        return;
      }
      c.numbers.push_back(value);
      p = stop;
    }
    c.lengths.push_back(static_cast<index_t>(c.numbers.size() - first));
    ++p;
  }
}

class MetisReader {
 public:
  MetisReader(TextStream& text, Progress& progress) : text_(text), progress_(progress) {}

  Matrix read(const std::string& location, const ReadLimits& limits) {
    header();
    require_memory(h_.vertices, h_.vertices, 2.0 * static_cast<double>(h_.edges), false, limits, place(h_.line));
    lines();
    const bool multigraph = count_neighbours();
    check_weights();
    Coo coo = triplets(multigraph);  // first the entries; this finds the facts
    Matrix m = finish_reading(std::move(coo), facts(multigraph), location, progress_);
    if (m.source.duplicates > 0 && !multigraph) refuse_duplicates(*m.csr);
    require_symmetry(*m.csr);
    return m;
  }

 private:
  std::string place(index_t line) const { return text_.source().label() + ":" + std::to_string(line); }
  [[noreturn]] void fail(index_t line, const std::string& reason, const std::string& expected) const {
    throw Error(reason, place(line), expected);
  }
  // The line of vertex v (from 0) in the file.
  index_t line_of(index_t v) const {
    return h_.line + 1 + v + (std::upper_bound(comments_.begin(), comments_.end(), v) - comments_.begin());
  }
  static std::string text_of(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", v);
    return text;
  }

  index_t whole(std::string_view word, index_t least, const char* what) const {
    index_t n = 0;
    const auto [at, status] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (status != std::errc() || at != word.data() + word.size() || n < least)
      fail(h_.line,
           std::string(what) + " " + in_quotes(word) + " is not a whole number of at least " + std::to_string(least),
           kExpected);
    return n;
  }

  void header() {
    std::string_view line;
    std::vector<std::string_view> words;
    while (words.empty() || words[0].starts_with('%')) {
      if (!text_.line(line)) fail(text_.lines(), "the file ends before the header", kExpected);
      words = words_of(line);
    }
    h_.line = text_.lines();
    if (words.size() < 2 || words.size() > 4)
      fail(h_.line, "the header " + in_quotes(line) + " has " + std::to_string(words.size()) + " fields", kExpected);
    h_.vertices = whole(words[0], 0, "the number of vertices");
    h_.edges = whole(words[1], 0, "the number of edges");
    if (h_.edges > INT64_MAX / 4) fail(h_.line, "the number of edges does not fit in 64 bits", kExpected);
    if (words.size() > 2) {
      const std::string_view f = words[2];
      if (f.size() > 3 || f.find_first_not_of("01") != std::string_view::npos)
        fail(h_.line, "the format " + in_quotes(f) + " is not understood",
             "expected up to three digits: 100 for sizes of vertices, 010 for their weights, 001 for weights of edges");
      h_.edge_weights = f.back() == '1';
      h_.vertex_weights = f.size() > 1 && f[f.size() - 2] == '1';
      h_.sizes = f.size() > 2 && f[0] == '1';
    }
    if (words.size() > 3) h_.weights_per_vertex = whole(words[3], h_.vertex_weights ? 1 : 0, "the weights per vertex");
  }

  void lines() {
    starts_.push_back(0);
    for_each_chunk<Chunk>(text_, progress_, parse, [&](const Chunk& c) {
      const auto before = static_cast<index_t>(starts_.size()) - 1;
      for (const index_t k : c.comments) comments_.push_back(before + k);
      for (std::size_t k = 0; k < c.lengths.size(); ++k) {
        if (static_cast<index_t>(starts_.size()) <= h_.vertices) {
          starts_.push_back(starts_.back() + c.lengths[k]);
        } else if (c.lengths[k] > 0) {
          fail(line_of(before + static_cast<index_t>(k)),
               "numbers after the lines of the " + std::to_string(h_.vertices) + " vertices that the header promises",
               "expected the end of the file");
        }
      }
      if (!c.bad.empty())
        fail(line_of(before + static_cast<index_t>(c.lengths.size())), in_quotes(c.bad) + " is not a number",
             "expected the neighbours of a vertex");
      const auto room = static_cast<std::size_t>(starts_.back()) - numbers_.size();
      numbers_.insert(numbers_.end(), c.numbers.begin(),
                      c.numbers.begin() + static_cast<std::ptrdiff_t>(std::min(room, c.numbers.size())));
    });
  }

  index_t found(index_t before) const {
    index_t n = 0;
    for (std::size_t v = 0; v + 1 < starts_.size(); ++v) {
      const index_t length = starts_[v + 1] - starts_[v] - before;
      if (length < 0 || length % h_.step() != 0) return -1;
      n += length / h_.step();
    }
    return n;
  }

  // Returns whether it is a multigraph: DIMACS' format 100, which METIS uses for sizes of vertices.
  bool count_neighbours() {
    const index_t n = h_.vertices, lines = static_cast<index_t>(starts_.size()) - 1;
    const index_t promised = 2 * h_.edges;
    bool multigraph = false;
    index_t count = found(h_.before());
    if (count != promised && h_.sizes && !h_.vertex_weights && !h_.edge_weights && found(0) == promised) {
      h_.sizes = false;
      multigraph = true;
      count = promised;
      warnings_.push_back(
          "Format 100 was read as a multigraph (DIMACS): read with sizes of vertices, as METIS has it, the "
          "lists would not hold the edges that the header promises.");
    }
    if (count == h_.edges && count != promised && lines >= n) {
      warnings_.push_back("The header counts each edge twice: it says " + std::to_string(h_.edges) +
                          ", and as many neighbours are listed.");
    } else if (count != promised) {
      complain_of_count(count, lines);
    }
    if (lines < n) {
      warnings_.push_back("The last " + std::to_string(n - lines) + " vertices have no line; they have no neighbours.");
      starts_.resize(static_cast<std::size_t>(n) + 1, starts_.back());
    }
    if (h_.sizes || h_.vertex_weights) warnings_.push_back("Weights and sizes of the vertices were not read.");
    return multigraph;
  }
  [[noreturn]] void complain_of_count(index_t count, index_t lines) const {
    if (lines < h_.vertices)
      fail(line_of(lines) - 1,
           "the file ends after " + std::to_string(lines) + " of " + std::to_string(h_.vertices) + " vertices",
           "the file is cut short or its header is wrong");
    for (index_t v = 0; count < 0 && v < lines; ++v) {
      const index_t length = starts_[v + 1] - starts_[v] - h_.before();
      if (length < 0 || length % h_.step() != 0)
        fail(line_of(v), "the line has " + std::to_string(starts_[v + 1] - starts_[v]) + " numbers",
             "expected " + std::to_string(h_.before()) + " for the vertex and " + std::to_string(h_.step()) +
                 " for each neighbour, as the header says");
    }
    fail(h_.line,
         "the lines list " + std::to_string(count) + " neighbours, but the header promises " +
             std::to_string(h_.edges) + " edges",
         "expected twice as many neighbours as edges");
  }

  // METIS' rules: sizes and weights of vertices are whole numbers >= 0, weights of edges are positive.
  void check_weights() const {
    for (index_t v = 0; v < h_.vertices; ++v)
      for (index_t k = starts_[v]; k < std::min(starts_[v] + h_.before(), starts_[v + 1]); ++k)
        if (!(numbers_[k] >= 0) || numbers_[k] != std::floor(numbers_[k]))
          fail(line_of(v),
               "the weight or size " + text_of(numbers_[k]) + " of vertex " + std::to_string(v + 1) +
                   " is not a whole number of at least 0",
               "expected weights as METIS has them");
    each([&](index_t v, double u, double w) {
      if (!(w > 0) || std::isinf(w))
        fail(line_of(v), "the weight " + text_of(w) + " of the edge to " + text_of(u) + " is not above 0",
             "expected weights as METIS has them");
    });
  }

  // Calls f(vertex, neighbour as in the file, weight).
  template <class F>
  void each(F&& f) const {
    for (index_t v = 0; v < h_.vertices; ++v)
      for (index_t k = starts_[v] + h_.before(); k < starts_[v + 1]; k += h_.step())
        f(v, numbers_[k], h_.edge_weights ? numbers_[k + 1] : 1.0);
  }

  Coo triplets(bool multigraph) {
    const index_t n = h_.vertices;
    bool zero = false;
    each([&](index_t v, double u, double) {
      if (!(u >= 0 && u <= static_cast<double>(n)) || u != std::floor(u))
        fail(line_of(v), "neighbour " + text_of(u) + " is out of range", "expected 1 to " + std::to_string(n));
      zero = zero || u == 0;
    });
    const index_t base = zero ? 0 : 1;
    if (zero) warnings_.push_back("The vertices were counted from 0, because vertex 0 occurs.");
    std::size_t count = 0;
    bool whole = true;
    each([&](index_t v, double u, double w) {
      if (zero && u == static_cast<double>(n))
        fail(line_of(v), "vertex 0 and vertex " + std::to_string(n) + " both occur",
             "expected 1 to " + std::to_string(n));
      if (static_cast<index_t>(u) - base == v && !multigraph)
        fail(line_of(v), "vertex " + text_of(u) + " is its own neighbour", "METIS' graphs have no such edges");
      whole = whole && w == std::floor(w);
      ++count;
    });
    integer_ = whole;
    entries_ = static_cast<index_t>(count);
    Coo coo{n, n, Indices::sized(n, count), Indices::sized(n, count), with_room<double>(count), {}};
    coo.row.visit_mut([&](auto row) {
      coo.col.visit_mut([&](auto col) {
        std::size_t k = 0;
        each([&](index_t v, double u, double w) {
          row[k] = static_cast<std::remove_reference_t<decltype(row[0])>>(v);
          col[k++] = static_cast<std::remove_reference_t<decltype(col[0])>>(static_cast<index_t>(u) - base);
          coo.values.push_back(w);
        });
      });
    });
    base_ = base;
    return coo;
  }

  SourceFacts facts(bool multigraph) const {
    SourceFacts f;
    f.field = !h_.edge_weights && !multigraph ? "pattern" : integer_ ? "integer" : "real";
    f.symmetry = "symmetric";
    f.entries_in_file = entries_;
    f.warnings = warnings_;
    return f;
  }

  [[noreturn]] void refuse_duplicates(const Csr& a) const {
    for (index_t v = 0; v < h_.vertices; ++v)
      if ((starts_[v + 1] - starts_[v] - h_.before()) / h_.step() != a.row_ptr()[v + 1] - a.row_ptr()[v])
        fail(line_of(v), "a neighbour stands twice in this line", "METIS' graphs have every edge once");
    fail(h_.line, "a neighbour stands twice in a line", "METIS' graphs have every edge once");
  }

  void require_symmetry(const Csr& a) const {
    std::atomic<index_t> first{a.rows()};
    const auto broken = [&](index_t i, index_t k) {
      const index_t mirror = a.find(a.columns()[k], i);
      return mirror < 0 || a.values()[mirror] != a.values()[k];
    };
    tbb::parallel_for(tbb::blocked_range<index_t>(0, a.rows(), 4096), [&](const auto& range) {
      progress_.check();
      for (index_t i = range.begin(); i < range.end() && i < first; ++i)
        for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k)
          if (broken(i, k))
            for (index_t seen = first; i < seen && !first.compare_exchange_weak(seen, i);) continue;
    });
    const index_t i = first;
    if (i == a.rows()) return;
    for (index_t k = a.row_ptr()[i]; k < a.row_ptr()[i + 1]; ++k) {
      if (!broken(i, k)) continue;
      const index_t j = a.columns()[k];
      const std::string names = "vertex " + std::to_string(i + base_) + " lists " + std::to_string(j + base_);
      if (a.find(j, i) < 0)
        fail(line_of(i), names + ", but " + std::to_string(j + base_) + " does not list it",
             "expected every edge at both of its ends");
      fail(line_of(i), names + " with another weight than the other way round", "expected one weight for each edge");
    }
  }

  TextStream& text_;
  Progress& progress_;
  MetisHeader h_;
  std::vector<double> numbers_;
  std::vector<index_t> starts_, comments_;
  std::vector<std::string> warnings_;
  index_t base_ = 1, entries_ = 0;
  bool integer_ = true;
};

}  // namespace

bool looks_metis(std::string_view head) {
  while (!head.empty()) {
    const auto line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('%')) continue;
    return words.size() >= 2 && words.size() <= 4 && std::all_of(words.begin(), words.end(), [](std::string_view w) {
             return w.find_first_not_of("0123456789") == std::string_view::npos;
           });
  }
  return false;
}

Matrix read_metis(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    TextStream text(source);
    return MetisReader(text, progress).read(location, limits);
  });
}

}  // namespace warpspy
