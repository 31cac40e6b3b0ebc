// The guide for newcomers, as data. The window shows it (ui/views/guide_tab). docs/guide.md has the same words, which a
// test checks. chapters() is the one list of chapters.
#pragma once

#include <span>

namespace warpspy {

struct Chapter {
  const char* id;
  const char* title;
  const char* text;     // paragraphs, with '\n' between
  const char* picture;  // in the form of Term::picture (terms.hpp); empty if there is none
  const char* caption;  // what the chapter's picture shows
  const char* tab;      // the tab that shows the chapter's subject
};
std::span<const Chapter> chapters();

}  // namespace warpspy
