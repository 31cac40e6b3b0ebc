// Reads the entries of a Matrix Market file, chunk by chunk.
#include "core/io/chunks.hpp"
#include "core/io/matrix_market.hpp"
#include "core/io/mm_chunk.hpp"
#include "core/matrix/pages.hpp"

namespace warpspy {
namespace {

// The place of an array's next number: down the columns, from the diagonal (or below it) if there is a symmetry.
struct ArrayCursor {
  index_t row = 0, col = 0;

  index_t first_row(const MmHeader& h) const {
    if (h.symmetry == MmSymmetry::general) return 0;
    return h.symmetry == MmSymmetry::skew_symmetric ? col + 1 : col;
  }
  void start(const MmHeader& h) { row = first_row(h); }
  void next(const MmHeader& h) {
    if (++row < h.rows) return;
    ++col;
    row = first_row(h);
  }
};

template <class I>
class MmReader {
 public:
  MmReader(TextStream& text, const MmHeader& header, Progress& progress)
      : text_(text), header_(header), progress_(progress), first_line_(text.lines() + 1) {
    cursor_.start(header);
  }

  MmEntries read() {
    reserve();
    for_each_chunk<MmChunk<I>>(
        text_, progress_, [&](MmChunk<I>& chunk) { parse_chunk(header_, chunk); },
        [&](const MmChunk<I>& chunk) { append(chunk); });
    if (entries_ < header_.entries)
      fail(lines_ - 1, "the file ends after " + count(entries_) + " of " + std::to_string(header_.entries) + " entries",
           "the file is cut short or its header is wrong");
    return finish();
  }

 private:
  static std::string count(index_t n) { return std::to_string(n); }

  // `line`: of the data, from 0.
  [[noreturn]] void fail(index_t line, const std::string& reason, const std::string& expected) const {
    throw Error(reason, text_.source().label() + ":" + std::to_string(first_line_ + line), expected);
  }

  // Reserves only address space. Memory is used as entries arrive, so a wrong header costs nothing.
  void reserve() {
    const auto n = static_cast<std::size_t>(header_.entries) * (header_.symmetry == MmSymmetry::general ? 1 : 2);
    row_ = with_room<I>(n);
    col_ = with_room<I>(n);
    re_ = with_room<double>(n);
    if (header_.field == MmField::complex) im_ = with_room<double>(n);
  }

  void append(const MmChunk<I>& chunk) {
    if (entries_ + chunk.entries > header_.entries)
      fail(lines_ + line_of_entry(chunk.text, header_.entries - entries_),
           "more entries than the " + count(header_.entries) + " that the header promises",
           "expected the end of the file");
    if (chunk.bad_line >= 0) {
      // Any text after the last entry counts as one entry too many.
      if (entries_ + chunk.entries == header_.entries)
        fail(lines_ + chunk.bad_line, "text after the " + count(header_.entries) + " entries that the header promises",
             "expected the end of the file");
      fail(lines_ + chunk.bad_line, chunk.reason, chunk.expected);
    }
    if (header_.format == MmFormat::array)
      append_array(chunk);
    else
      append_entries(chunk);
    entries_ += chunk.entries;
    lines_ += chunk.entries + chunk.skipped;
    counts_.above += chunk.above;
    counts_.below += chunk.below;
    counts_.rounded += chunk.rounded;
    counts_.not_finite += chunk.not_finite;
    counts_.odd_diagonal += chunk.odd_diagonal;
  }

  void append_entries(const MmChunk<I>& chunk) {
    const auto& from = chunk.result(header_);
    const auto add = [&](auto& to, const auto& scratch) {
      to.insert(to.end(), scratch.data.get(), scratch.data.get() + chunk.stored);
    };
    add(row_, from.row);
    add(col_, from.col);
    add(re_, from.re);
    if (header_.field == MmField::complex) add(im_, from.im);
  }

  void append_array(const MmChunk<I>& chunk) {
    const bool complex = header_.field == MmField::complex;
    const bool mirror = header_.symmetry != MmSymmetry::general;
    const double re_sign = header_.symmetry == MmSymmetry::skew_symmetric ? -1 : 1;
    const double im_sign = header_.symmetry == MmSymmetry::symmetric ? 1 : -1;
    const auto put = [&](index_t i, index_t j, double v, double w) {
      row_.push_back(static_cast<I>(i));
      col_.push_back(static_cast<I>(j));
      re_.push_back(v);
      if (complex) im_.push_back(w);
    };
    for (index_t k = 0; k < chunk.entries; ++k, cursor_.next(header_)) {
      const double v = chunk.file.re.data[k], w = complex ? chunk.file.im.data[k] : 0;
      put(cursor_.row, cursor_.col, v, w);
      if (mirror && cursor_.row != cursor_.col) put(cursor_.col, cursor_.row, re_sign * v, im_sign * w);
      if (cursor_.row == cursor_.col) counts_.odd_diagonal += is_odd_diagonal(header_, v, w);
    }
  }

  MmEntries finish() {
    MmEntries result;
    result.warnings = warnings_of(header_, counts_);
    result.coo.rows = header_.rows;
    result.coo.cols = header_.cols;
    result.coo.row = Indices(std::move(row_));
    result.coo.col = Indices(std::move(col_));
    result.coo.values = std::move(re_);
    result.coo.imag = std::move(im_);
    return result;
  }

  TextStream& text_;
  const MmHeader& header_;
  Progress& progress_;
  const index_t first_line_;
  ArrayCursor cursor_;
  std::vector<I> row_, col_;
  std::vector<double> re_, im_;
  index_t entries_ = 0, lines_ = 0;
  MmCounts counts_;
};

bool narrow(const MmHeader& h) { return Indices::fits32(h.rows) && Indices::fits32(h.cols); }

}  // namespace

std::vector<std::string> warnings_of(const MmHeader& header, const MmCounts& counts) {
  std::vector<std::string> w;
  const auto count = [](index_t n) { return std::to_string(n); };
  const std::string kind = name_of(header.symmetry);
  if (counts.above > 0)
    w.push_back(count(counts.above) + " entries of this " + kind +
                " file are above the diagonal; they were mirrored like those below.");
  if (counts.above > 0 && counts.below > 0)
    w.push_back("The file has entries on both sides of the diagonal; where both name the same place they are summed.");
  if (counts.rounded > 0)
    w.push_back(count(counts.rounded) + " integers beyond 2^53 were rounded to the nearest double.");
  if (counts.not_finite > 0) w.push_back(count(counts.not_finite) + " values are infinite or not a number.");
  if (counts.odd_diagonal > 0)
    w.push_back(count(counts.odd_diagonal) + " diagonal values are not what a " + kind + " matrix can have (" +
                (header.symmetry == MmSymmetry::hermitian ? "an imaginary part" : "not 0") + "); they were kept.");
  if (counts.jumbled > 0)
    w.push_back("The row indices of " + count(counts.jumbled) +
                " columns are not in rising order; each value went where its own index says.");
  return w;
}

MmEntries read_mm_entries(TextStream& text, const MmHeader& header, const ReadLimits& limits, Progress& progress) {
  const double stored = static_cast<double>(header.entries) * (header.symmetry == MmSymmetry::general ? 1 : 2);
  require_memory(header.rows, header.cols, stored, header.field == MmField::complex, limits,
                 text.source().label() + ":" + std::to_string(text.lines()));
  if (narrow(header)) return MmReader<std::int32_t>(text, header, progress).read();
  return MmReader<std::int64_t>(text, header, progress).read();
}

Matrix read_matrix_market(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    TextStream text(source);
    const MmHeader header = read_mm_header(text);
    MmEntries entries = read_mm_entries(text, header, limits, progress);
    SourceFacts facts;
    facts.field = name_of(header.field);
    facts.symmetry = name_of(header.symmetry);
    facts.entries_in_file = header.entries;
    facts.warnings = header.warnings;
    for (auto& w : entries.warnings) facts.warnings.push_back(std::move(w));
    return finish_reading(std::move(entries.coo), std::move(facts), location, progress);
  });
}

}  // namespace warpspy
