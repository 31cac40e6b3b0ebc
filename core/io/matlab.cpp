#include "core/io/matlab.hpp"

#include <cstring>

#include "core/io/matlab5.hpp"
#include "core/io/matlab73.hpp"

namespace warpspy {

// The text says so, or the byte order mark of version 5 is in its place.
bool looks_matlab(std::string_view head) {
  if (head.starts_with("MATLAB 5.0 MAT-file") || head.starts_with("MATLAB 7.3 MAT-file")) return true;
  if (head.size() < 128) return false;
  const auto mark = head.substr(124, 4);
  using namespace std::string_view_literals;
  return mark == "\x00\x01IM"sv || mark == "\x00\x02IM"sv || mark == "\x01\x00MI"sv || mark == "\x02\x00MI"sv;
}

void refuse_matlab(const std::string& reason, const std::string& label) {
  throw Error(reason, label, "the MATLAB file is damaged or cut short: save or fetch it again");
}

void refuse_no_sparse(const std::string& contents, const std::string& label) {
  if (contents.empty()) refuse_matlab("the MATLAB file holds no variable that can be read", label);
  throw Error("the MATLAB file has no sparse matrix (it has " + contents + ")", label,
              "save one with save(file, 'A') where issparse(A) is true");
}

Matrix read_matlab(Source& source, const std::string& location, const ReadLimits& limits, Progress& progress) {
  return with_memory_errors(source.label(), [&] {
    progress.stage("reading " + stem_of(location));
    char header[128] = {};
    if (source.read(header, sizeof header) < sizeof header)
      refuse_matlab("the file ends within the header", source.label());
    const bool swapped = std::memcmp(header + 126, "MI", 2) == 0;
    const int version = std::memcmp(header + 126, "IM", 2) == 0 || swapped ? header[swapped ? 124 : 125] : 0;
    if (version != 1 && version != 2)
      refuse_matlab("the header names neither version 5 nor version 7.3", source.label());
    SourceFacts facts;
    Coo coo = version == 1 ? read_matlab5(source, swapped, limits, facts, progress)
                           : read_matlab73(source, {header, sizeof header}, limits, facts, progress);
    return finish_reading(std::move(coo), std::move(facts), location, progress);
  });
}

}  // namespace warpspy
