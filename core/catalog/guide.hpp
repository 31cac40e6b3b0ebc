// The guide for newcomers, as data: the window shows it (ui/views/guide_tab), and docs/guide.md has the same words,
// which a test holds. chapters() is THE list.
#pragma once

#include <span>

namespace warpspy {

struct Chapter {
  const char* id;
  const char* title;
  const char* text;     // paragraphs, with '\n' between
  const char* picture;  // as of a Term (terms.hpp); empty: none
  const char* caption;  // what the picture shows
  const char* tab;      // where it is seen at work
};
std::span<const Chapter> chapters();

}  // namespace warpspy
