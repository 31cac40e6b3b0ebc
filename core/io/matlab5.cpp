#include "core/io/matlab5.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/io/matlab.hpp"
#include "core/io/matlab_columns.hpp"
#include "core/io/matlab_stream.hpp"
#include "core/io/words.hpp"

namespace warpspy {
namespace {

enum Type : std::uint32_t { kMatrix = 14, kCompressed = 15 };
enum Class : std::uint32_t { kCell = 1, kStruct = 2, kObject = 3, kSparse = 5, kFunction = 16, kOpaque = 17 };
enum Flag : std::uint32_t { kLogical = 0x200, kComplex = 0x800 };

constexpr std::string_view kClassNames[] = {"unknown", "cell",   "struct", "object", "char",     "sparse",
                                            "double",  "single", "int8",   "uint8",  "int16",    "uint16",
                                            "int32",   "uint32", "int64",  "uint64", "function", "opaque"};
constexpr int kDeepest = 64;

template <class T>
T swapped_bytes(T v) {
  char bytes[sizeof v];
  std::memcpy(bytes, &v, sizeof v);
  std::reverse(bytes, bytes + sizeof v);
  std::memcpy(&v, bytes, sizeof v);
  return v;
}

// Calls f with a zero of the element's type; refuses types that are not numbers.
template <class F>
decltype(auto) with_type(std::uint32_t type, F&& f) {
  switch (type) {
    case 1:
      return f(std::int8_t{});
    case 2:
      return f(std::uint8_t{});
    case 3:
      return f(std::int16_t{});
    case 4:
      return f(std::uint16_t{});
    case 5:
      return f(std::int32_t{});
    case 6:
      return f(std::uint32_t{});
    case 7:
      return f(float{});
    case 9:
      return f(double{});
    case 12:
      return f(std::int64_t{});
    case 13:
      return f(std::uint64_t{});
    default:
      throw MatlabMisfit{"its numbers are of an unknown type"};
  }
}

// Reads the numbers of one element block by block: f(std::span<const T>).
template <class F>
void numbers(Stretch& s, const MatlabTag& tag, F&& f) {
  with_type(tag.type, [&](auto zero) {
    using T = decltype(zero);
    require_fit(tag.bytes % sizeof(T) == 0, "an array ends within a number");
    T block[8192 / sizeof(T)];
    for (std::size_t left = tag.bytes; left > 0;) {
      const std::size_t n = std::min(left, sizeof block);
      if (tag.small)
        std::memcpy(block, tag.data, n);
      else
        s.take(block, n);
      if (s.swapped()) std::transform(block, block + n / sizeof(T), block, swapped_bytes<T>);
      f(std::span<const T>(block, n / sizeof(T)));
      left -= n;
    }
  });
  s.padding(tag);
}

std::vector<index_t> integers(Stretch& s, std::size_t most) {
  const MatlabTag tag = s.tag();
  require_fit(tag.bytes <= 8 * most, "its header is damaged");
  std::vector<index_t> to;
  numbers(s, tag, [&](auto piece) {
    for (const auto v : piece) {
      if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(v)>>) {
        require_fit(std::in_range<index_t>(v), "its header is damaged");
        to.push_back(static_cast<index_t>(v));
      } else {
        throw MatlabMisfit{"its header is damaged"};
      }
    }
  });
  return to;
}

std::string text(Stretch& s, std::size_t most) {
  const MatlabTag tag = s.tag();
  require_fit(tag.bytes <= most, "its header is damaged");
  std::string to(tag.small ? std::string(tag.data, tag.bytes) : std::string(tag.bytes, '\0'));
  if (!tag.small) s.take(to.data(), to.size());
  s.padding(tag);
  return to;
}

struct Matlab5Header {
  std::uint32_t kind = 0;
  bool complex = false, logical = false;
  std::vector<index_t> dims;
  std::string name;
};

Matlab5Header header_of(Stretch& s) {
  Matlab5Header h;
  const std::vector<index_t> flags = integers(s, 2);
  require_fit(flags.size() == 2, "its header is damaged");
  h.kind = static_cast<std::uint32_t>(flags[0]) & 0xff;
  h.complex = flags[0] & kComplex;
  h.logical = flags[0] & kLogical;
  require_fit(h.kind > 0 && h.kind < std::size(kClassNames), "its header is damaged");
  if (h.kind != kOpaque) {
    h.dims = integers(s, 64);
    require_fit(h.dims.size() >= 2 && std::all_of(h.dims.begin(), h.dims.end(), [](index_t n) { return n >= 0; }),
                "its dimensions are damaged");
  }
  h.name = text(s, 4096);
  return h;
}

class Matlab5Reader {
 public:
  Matlab5Reader(SourceStream& in, bool swapped, const ReadLimits& limits, const std::string& label)
      : in_(in), swapped_(swapped), limits_(limits), label_(label) {}

  Coo read(SourceFacts& facts) {
    try {
      while (element()) {
      }
    } catch (const MatlabMisfit& e) {
      refuse_matlab("the variable at byte " + std::to_string(at_) + " is damaged: " + e.what, label_);
    }
    if (best_ == 0) refuse_no_sparse(contents_, label_);
    facts.field = complex_ ? "complex" : logical_ ? "pattern" : "real";
    facts.entries_in_file = static_cast<index_t>(found_.values.size());
    return std::move(found_);
  }

 private:
  // The priority of a sparse matrix: the first one with the highest rank is read.
  enum Rank { kNone, kField, kTop, kProblem };

  // Reads one element of the file; false at its end.
  bool element() {
    at_ = in_.position();
    char ahead[8] = {};
    const std::size_t got = in_.read(ahead, sizeof ahead);
    const bool zeros = std::all_of(ahead, ahead + sizeof ahead, [](char c) { return c == 0; });
    if (got == 0) return false;
    if (zeros) return got == sizeof ahead;  // padding after the last variable
    require_fit(got == sizeof ahead, "it is cut short");
    const auto [type, bytes] = tag_of(ahead);
    require_fit(type == kMatrix || type == kCompressed, "it is no variable");
    if (type == kMatrix) {
      variable(Stretch(in_, bytes, swapped_), kTop, 0);
      in_.read(ahead, (8 - bytes % 8) % 8);
      return true;
    }
    InflatedStream unpacked(in_, bytes);
    unpacked.take(ahead, sizeof ahead);
    const auto [inner, size] = tag_of(ahead);
    require_fit(inner == kMatrix, "it is no variable");
    variable(Stretch(unpacked, size, swapped_), kTop, 0);
    unpacked.end();
    return true;
  }

  std::pair<std::uint32_t, std::uint32_t> tag_of(const char* bytes) const {
    std::uint32_t words[2];
    std::memcpy(words, bytes, sizeof words);
    if (swapped_)
      for (auto& w : words) w = swapped_bytes(w);
    return {words[0], words[1]};
  }

  // Reads a variable, or an element of one, to the end of `s`.
  void variable(Stretch s, Rank rank, int depth) {
    require_fit(depth < kDeepest, "it is nested too deeply");
    const Matlab5Header h = header_of(s);
    if (depth == 0) list(h);
    if (h.kind == kSparse && rank > best_) {
      load(s, h);
      best_ = rank;
    } else if (h.kind == kStruct) {
      structure(s, h, depth);
    } else if (h.kind == kCell) {
      elements(s, h, 1, depth, [](std::size_t) { return kNone; });
    } else if (h.kind == kObject || h.kind >= kFunction) {
      s.skip(s.left());  // these types have layouts of their own
    } else {
      while (s.left() >= 8) {
        const MatlabTag tag = s.tag();
        if (!tag.small) s.skip(tag.bytes);
        s.padding(tag);
      }
    }
    s.end();
  }

  void structure(Stretch& s, const Matlab5Header& h, int depth) {
    const std::vector<index_t> length = integers(s, 1);
    require_fit(length.size() == 1 && length[0] > 0 && length[0] <= 4096, "its field names are damaged");
    const auto step = static_cast<std::size_t>(length[0]);
    const std::string names = text(s, std::size_t{1} << 20);
    require_fit(names.size() % step == 0, "its field names are damaged");
    elements(s, h, names.size() / step, depth, [&](std::size_t field) {
      if (depth > 0) return kNone;
      const std::string_view name(names.data() + field * step, step);
      return h.name == "Problem" && name.substr(0, name.find('\0')) == "A" ? kProblem : kField;
    });
  }

  // Reads the elements of a structure or a cell array, all fields of one element together. In the first element,
  // rank_of(field) gives the rank.
  template <class F>
  void elements(Stretch& s, const Matlab5Header& h, std::size_t fields, int depth, F&& rank_of) {
    std::uint64_t count = fields;
    for (const index_t n : h.dims)
      if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(n), &count)) count = UINT64_MAX;
    if (std::find(h.dims.begin(), h.dims.end(), 0) != h.dims.end()) count = 0;
    require_fit(count <= s.left() / 8, "it has fewer elements than its dimensions say");
    for (std::uint64_t k = 0; k < count; ++k) {
      const MatlabTag tag = s.tag();
      require_fit(tag.type == kMatrix && !tag.small, "one of its elements is no variable");
      if (tag.bytes > 0) variable(s.part(tag), k < fields ? rank_of(k) : kNone, depth + 1);
      s.padding(tag);
    }
  }

  void load(Stretch& s, const Matlab5Header& h) {
    require_fit(h.dims.size() == 2, "it has not two dimensions");
    require_fit(Indices::fits32(h.dims[0]) && Indices::fits32(h.dims[1]), "its dimensions are damaged");
    found_ = {};
    const MatlabTag indices = s.tag();
    const std::size_t room = with_type(indices.type, [&](auto zero) { return indices.bytes / sizeof zero; });
    require_memory(h.dims[0], h.dims[1], static_cast<double>(room), h.complex, limits_, label_);
    MatlabColumns<std::int32_t> columns(h.dims[0], h.dims[1], room);
    numbers(s, indices, [&](auto piece) { columns.add_rows(piece); });
    numbers(s, s.tag(), [&](auto piece) { columns.add_pointers(piece); });
    columns.end_pointers();
    // Without entries these may be left out.
    if (s.left() >= 8) numbers(s, s.tag(), [&](auto piece) { columns.add_values(piece, h.logical); });
    if (s.left() >= 8 && h.complex) numbers(s, s.tag(), [&](auto piece) { columns.add_imaginary(piece); });
    found_ = std::move(columns).coo(h.complex);
    complex_ = h.complex;
    logical_ = h.logical;
  }

  void list(const Matlab5Header& h) {
    if (++listed_ > 9) return;
    contents_ += listed_ > 1 ? ", " : "";
    contents_ += listed_ == 9 ? "..." : in_quotes(h.name) + ", " + std::string(kClassNames[h.kind]);
    for (std::size_t k = 0; listed_ < 9 && k < h.dims.size(); ++k)
      contents_ += (k > 0 ? " x " : " ") + std::to_string(h.dims[k]);
  }

  SourceStream& in_;
  bool swapped_;
  const ReadLimits& limits_;
  const std::string& label_;
  std::uint64_t at_ = 0;  // where the current variable begins
  Rank best_ = kNone;
  Coo found_;
  bool complex_ = false, logical_ = false;
  int listed_ = 0;
  std::string contents_;
};

}  // namespace

Coo read_matlab5(Source& source, bool swapped, const ReadLimits& limits, SourceFacts& facts, Progress& progress) {
  SourceStream in(source, 128, progress);
  return Matlab5Reader(in, swapped, limits, source.label()).read(facts);
}

}  // namespace warpspy
