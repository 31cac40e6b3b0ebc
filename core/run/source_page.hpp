// A kernel's source as pages, with the traffic of a run beside the lines that cause it. These are pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/run/record.hpp"

namespace warpspy {

struct SourceLine {
  int number = 0;  // counted from 1
  std::string_view text = {};
  const Traffic* traffic = nullptr;  // traffic of the line; nullptr: it accesses no memory
};

// A file of the kernel's source. It points into the catalog and the traffic, which must outlive it.
struct SourcePage {
  std::string file;
  std::vector<SourceLine> lines;
  int first_counted = 0;  // the number of the first line with traffic
};

// The files with these lines, the file with the most sectors first. Lines of files that the program does not have are
// left out.
std::vector<SourcePage> source_pages(const Catalog& catalog, const std::vector<Traffic>& traffic);

// A hash of the files with these lines: runs with the same hash have the same source. Empty if a file is missing, or
// there are no lines.
std::string source_mark(const std::vector<SourceFile>& sources, const std::vector<Traffic>& lines);

// Splits "csr_scalar.hpp:41" into the file "csr_scalar.hpp" and the line 41. The line is 0 if the name has another
// form.
struct SourcePlace {
  std::string file;
  int line = 0;
};
SourcePlace source_place(const std::string& name);

}  // namespace warpspy
