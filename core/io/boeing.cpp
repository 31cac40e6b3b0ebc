#include "core/io/boeing.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/io/fortran_format.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/mm_chunk.hpp"
#include "core/io/mm_number.hpp"
#include "core/io/words.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

struct BoeingHeader {
  MmHeader matrix;  // field, symmetry and size, in Matrix Market's words
  index_t pointer_lines = 0, index_lines = 0, value_lines = 0, rhs_lines = 0;
  std::vector<FortranField> pointers, indices, values;
};

class BoeingReader {
 public:
  BoeingReader(TextStream& text, Progress& progress) : text_(text), progress_(progress) {}

  BoeingHeader header() {
    BoeingHeader h;
    next("the title");
    counts(h);
    type(h);
    formats(h);
    if (h.rhs_lines > 0) {
      next("the line of right-hand sides");
      h.matrix.warnings.push_back("The file also holds right-hand sides; they were not read.");
    }
    return h;
  }

  // Calls f(text of the field, its format, k) for `count` numbers; `promised`: the lines that the header states.
  template <class F>
  void section(const std::vector<FortranField>& fields, index_t count, index_t promised, const char* what,
               BoeingHeader& h, F&& f) {
    index_t lines = 0;
    for (index_t k = 0; k < count; ++lines) {
      if (lines % 1024 == 0) {
        progress_.check();
        progress_.set(text_.source().fraction());
      }
      std::string_view line;
      if (!text_.line(line))
        fail("the file ends after " + std::to_string(k) + " of " + std::to_string(count) + " " + what,
             "the file is cut short or its header is wrong");
      const std::vector<std::string_view> words = words_beside_fields(line, fields, count - k);
      for (std::size_t n = 0; n < fields.size() && k < count; ++n) {
        const FortranField& field = fields[n];
        const auto part = words.empty() ? line.substr(std::min(line.size(), field.at), field.width) : words[n];
        if (part.find_first_not_of(" \t") == std::string_view::npos)
          fail("the line ends before number " + std::to_string(k + 1) + " of " + std::to_string(count) + " " + what,
               "expected " + std::to_string(fields.size()) + " fields of " + std::to_string(field.width) +
                   " characters, as the header says");
        f(part, field, k++);
      }
    }
    if (lines != promised && h.matrix.warnings.size() < 8)
      h.matrix.warnings.push_back("The header promises " + std::to_string(promised) + " lines of " + what +
                                  ", but its format makes " + std::to_string(lines) + ".");
  }

  index_t whole(std::string_view part, index_t least, index_t most, const char* what) {
    const char* p = part.data();
    const char* end = p + part.size();
    while (p < end && *p == ' ') ++p;
    while (end > p && is_blank(end[-1])) --end;
    if (p < end && *p == '+') ++p;
    index_t n = 0;
    const auto [at, status] = std::from_chars(p, end, n);
    const std::string range = "expected " + std::to_string(least) + " to " + std::to_string(most);
    if (status != std::errc() || at != end)
      fail(std::string(what) + " " + in_quotes({p, static_cast<std::size_t>(end - p)}) + " is not a whole number",
           range);
    if (n < least || n > most) fail(std::string(what) + " " + std::to_string(n) + " is out of range", range);
    return n;
  }

  [[noreturn]] void fail(const std::string& reason, const std::string& expected) const {
    throw Error(reason, place(), expected);
  }
  std::string place() const { return text_.source().label() + ":" + std::to_string(text_.lines()); }

 private:
  // If fields cut words, but there are as many words as numbers, the words count. SciPy's hb_write writes fields one
  // column narrower than its format says.
  static std::vector<std::string_view> words_beside_fields(std::string_view line,
                                                           const std::vector<FortranField>& fields, index_t count) {
    const auto cuts = [&](const FortranField& f) {
      return f.at > 0 && f.at < line.size() && !is_blank(line[f.at - 1]) && !is_blank(line[f.at]);
    };
    if (std::none_of(fields.begin(), fields.end(), cuts)) return {};
    std::vector<std::string_view> words = words_of(line);
    const auto numbers = std::min(static_cast<std::size_t>(count), fields.size());
    return words.size() == numbers ? words : std::vector<std::string_view>{};
  }

  std::string_view next(const char* what) {
    std::string_view line;
    if (!text_.line(line)) fail("the file ends before " + std::string(what), "expected a Harwell-Boeing header");
    return line;
  }

  void counts(BoeingHeader& h) {
    const std::string_view line = next("the line counts");
    index_t n[5] = {};
    const auto words = words_of(line);
    if (words.size() < 4) fail("the counts of lines " + in_quotes(line) + " are incomplete", "expected 4 or 5 numbers");
    for (std::size_t k = 0; k < std::min<std::size_t>(words.size(), 5); ++k)
      n[k] = whole(words[k], 0, INT64_MAX, "the count of lines");
    h.pointer_lines = n[1];
    h.index_lines = n[2];
    h.value_lines = n[3];
    h.rhs_lines = n[4];
  }

  void type(BoeingHeader& h) {
    const std::string_view line = next("the type");
    const auto words = words_of(line);
    const std::string_view t = words.empty() ? std::string_view() : words[0];
    if (t.size() != 3) fail("the type " + in_quotes(t) + " is not three letters", "expected a type such as RUA or psa");
    MmHeader& m = h.matrix;
    switch (lower_case(t[0])) {
      case 'r':
        m.field = MmField::real;
        break;
      case 'c':
        m.field = MmField::complex;
        break;
      case 'i':
        m.field = MmField::integer;
        break;
      case 'q':
        m.warnings.push_back("The values are in another file; only the pattern was read.");
        m.field = MmField::pattern;
        break;
      case 'p':
        m.field = MmField::pattern;
        break;
      default:
        fail("unknown kind of values in the type " + in_quotes(t), "expected r, c, i, p or q as the first letter");
    }
    switch (lower_case(t[1])) {
      case 'u':
      case 'r':
        m.symmetry = MmSymmetry::general;
        break;
      case 's':
        m.symmetry = MmSymmetry::symmetric;
        break;
      case 'h':
        m.symmetry = MmSymmetry::hermitian;
        break;
      case 'z':
        m.symmetry = MmSymmetry::skew_symmetric;
        break;
      default:
        fail("unknown symmetry in the type " + in_quotes(t), "expected u, s, h, z or r as the second letter");
    }
    if (lower_case(t[2]) == 'e')
      fail("the file (type " + std::string(t) + ") holds unassembled finite-element matrices",
           "assemble it first: Warpspy reads Boeing files whose type ends in a");
    if (lower_case(t[2]) != 'a') fail("unknown storage in the type " + in_quotes(t), "expected a as the third letter");
    if (words.size() < 4) fail("the size " + in_quotes(line) + " is incomplete", "expected rows, columns and entries");
    m.rows = whole(words[1], 0, INT64_MAX, "the number of rows");
    m.cols = whole(words[2], 0, INT64_MAX - 1, "the number of columns");
    m.entries = whole(words[3], 0, INT64_MAX - 1, "the number of entries");
    if (m.symmetry != MmSymmetry::general && m.rows != m.cols)
      fail("a " + std::string(name_of(m.symmetry)) + " matrix of " + std::to_string(m.rows) + " x " +
               std::to_string(m.cols) + " is not square",
           "expected as many rows as columns");
  }

  // The formats are in columns of 16, 16, 20 and 20 characters. The parentheses also show where they end, but less
  // reliably.
  void formats(BoeingHeader& h) {
    std::string_view line = next("the formats");
    const auto take = [&](const char* what) {
      const auto open = line.find('(');
      if (open == std::string_view::npos)
        fail("the format of the " + std::string(what) + " is missing", "expected formats such as (26I3)");
      int depth = 0;
      for (std::size_t end = open; end < line.size(); ++end) {
        if (line[end] == '(') ++depth;
        if (line[end] != ')' || --depth > 0) continue;
        const auto text = line.substr(open, end + 1 - open);
        line.remove_prefix(end + 1);
        try {
          return parse_fortran_format(text);
        } catch (const Error& e) {
          fail(e.reason, e.remedy);
        }
      }
      fail("the format of the " + std::string(what) + " is not closed", "expected formats such as (26I3)");
    };
    h.pointers = take("pointers");
    h.indices = take("indices");
    if (h.matrix.field == MmField::pattern) return;
    if (h.value_lines == 0 && h.matrix.entries > 0) {
      h.matrix.field = MmField::pattern;
      h.matrix.warnings.push_back("The header promises no values; only the pattern was read.");
      return;
    }
    h.values = take("values");
  }

  TextStream& text_;
  Progress& progress_;
};

template <class I>
struct Columns {
  std::vector<index_t> pointers;
  std::vector<I> rows;
  std::vector<double> re, im;
};

template <class I>
Columns<I> read_columns(BoeingReader& reader, BoeingHeader& h, MmCounts& counts) {
  const MmHeader& m = h.matrix;
  const bool complex = m.field == MmField::complex;
  const auto n = static_cast<std::size_t>(m.entries);
  Columns<I> c;
  c.pointers.reserve(static_cast<std::size_t>(m.cols) + 1);
  reader.section(h.pointers, m.cols + 1, h.pointer_lines, "column pointers", h,
                 [&](std::string_view part, const FortranField&, index_t) {
                   const index_t least = c.pointers.empty() ? 1 : c.pointers.back() + 1;
                   const index_t most = c.pointers.empty() ? 1 : m.entries + 1;
                   c.pointers.push_back(reader.whole(part, least, most, "column pointer") - 1);
                 });
  if (c.pointers.back() != m.entries)
    reader.fail("the last column pointer is " + std::to_string(c.pointers.back() + 1) + ", but the header promises " +
                    std::to_string(m.entries) + " entries",
                "expected " + std::to_string(m.entries + 1));
  c.rows = with_room<I>(n);
  reader.section(h.indices, m.entries, h.index_lines, "row indices", h,
                 [&](std::string_view part, const FortranField&, index_t) {
                   c.rows.push_back(static_cast<I>(reader.whole(part, 1, m.rows, "row index") - 1));
                 });
  c.re = with_room<double>(n);
  if (m.field == MmField::pattern) {
    c.re.assign(n, 1.0);
    return c;
  }
  if (complex) c.im = with_room<double>(n);
  bool implied = false;
  const auto value = [&](std::string_view part, const FortranField& field, index_t k) {
    double v = 0;
    if (!parse_fortran_real(part, field, v, implied))
      reader.fail("value " + in_quotes(part) + " is not a number within a double's range", "expected a Fortran number");
    counts.not_finite += !std::isfinite(v);
    counts.rounded += m.field == MmField::integer && std::abs(v) > 0x1p53;
    (complex && k % 2 == 1 ? c.im : c.re).push_back(v);
  };
  reader.section(h.values, complex ? 2 * m.entries : m.entries, h.value_lines, "values", h, value);
  if (implied) h.matrix.warnings.push_back("Values without a decimal point were read as their Fortran format says.");
  return c;
}

// Triplets, each mirror right after its entry.
template <class I>
Coo triplets_of(const MmHeader& m, Columns<I> c, MmCounts& counts) {
  const bool mirrored = m.symmetry != MmSymmetry::general;
  const std::size_t room = c.rows.size() * (mirrored ? 2 : 1);
  const double re_sign = m.symmetry == MmSymmetry::skew_symmetric ? -1 : 1;
  const double im_sign = m.symmetry == MmSymmetry::symmetric ? 1 : -1;
  std::vector<I> row = with_room<I>(room), col = with_room<I>(room);
  std::vector<double> re = with_room<double>(room), im;
  if (!c.im.empty()) im = with_room<double>(room);
  const auto put = [&](I i, I j, double v, double w) {
    row.push_back(i);
    col.push_back(j);
    re.push_back(v);
    if (!c.im.empty()) im.push_back(w);
  };
  for (std::size_t j = 0; j + 1 < c.pointers.size(); ++j) {
    counts.jumbled += !std::is_sorted(c.rows.begin() + c.pointers[j], c.rows.begin() + c.pointers[j + 1]);
    for (auto k = static_cast<std::size_t>(c.pointers[j]); k < static_cast<std::size_t>(c.pointers[j + 1]); ++k) {
      const I i = c.rows[k], column = static_cast<I>(j);
      const double v = c.re[k], w = c.im.empty() ? 0 : c.im[k];
      put(i, column, v, w);
      if (!mirrored) continue;
      if (i == column) {
        counts.odd_diagonal += is_odd_diagonal(m, v, w);
        continue;
      }
      ++(i < column ? counts.above : counts.below);
      put(column, i, re_sign * v, im_sign * w);
    }
  }
  return {m.rows, m.cols, Indices(std::move(row)), Indices(std::move(col)), std::move(re), std::move(im)};
}

template <class I>
Matrix read(BoeingReader& reader, BoeingHeader& h, const std::string& location, Progress& progress) {
  MmCounts counts;
  Columns<I> columns = read_columns<I>(reader, h, counts);
  Coo coo = triplets_of(h.matrix, std::move(columns), counts);
  SourceFacts facts;
  facts.field = name_of(h.matrix.field);
  facts.symmetry = name_of(h.matrix.symmetry);
  facts.entries_in_file = h.matrix.entries;
  facts.warnings = h.matrix.warnings;
  for (auto& w : warnings_of(h.matrix, counts)) facts.warnings.push_back(std::move(w));
  return finish_reading(std::move(coo), std::move(facts), location, progress);
}

}  // namespace

// Line 2 has counts of lines, line 3 begins with a type such as RUA or psa, and numbers follow.
bool looks_boeing(std::string_view head) {
  const auto next = [&] {
    const auto end = std::min(head.find('\n'), head.size());
    auto line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    return line;
  };
  const auto only = [](std::string_view text, std::string_view set) {
    return text.find_first_not_of(set) == std::string_view::npos;
  };
  const auto among = [](char c, std::string_view set) { return set.find(lower_case(c)) != std::string_view::npos; };
  // A title is text. An archive may contain lines of this format behind its own bytes.
  const bool text = next().find('\0') == std::string_view::npos;
  const auto counts = next(), type = next();
  return text && !counts.empty() && only(counts, " 0123456789") && type.size() > 4 && among(type[0], "rcipq") &&
         among(type[1], "suhzr") && among(type[2], "ae") && only(type.substr(3), " 0123456789");
}

Matrix read_boeing(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    TextStream text(source);
    BoeingReader reader(text, progress);
    BoeingHeader h = reader.header();
    const MmHeader& m = h.matrix;
    const double stored = static_cast<double>(m.entries) * (m.symmetry == MmSymmetry::general ? 1 : 2);
    const bool complex = m.field == MmField::complex;
    // The column pointers are read first, and need as much memory.
    require_memory(std::max(m.rows, m.cols), m.cols, stored, complex, limits, reader.place());
    const bool narrow = Indices::fits32(m.rows) && Indices::fits32(m.cols);
    return narrow ? read<std::int32_t>(reader, h, location, progress)
                  : read<std::int64_t>(reader, h, location, progress);
  });
}

}  // namespace warpspy
