// The field's words that the window uses: each with two sentences and a small picture. terms() is the one list.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace warpspy {

struct Term {
  const char* id;     // "sector"
  const char* words;  // as texts write it; several, with commas between: "lane,lanes"
  const char* text;   // two sentences
  // Rows of cells from the top, with '/' between. '#': works, or is used; 'o': is fetched, and not used; '.': is idle,
  // or stored and empty; 'x': waits; ' ': nothing.
  const char* picture;
};
std::span<const Term> terms();
// The term's first word, with a capital letter.
std::string title_of(const Term& t);
const Term* term(const std::string& id);  // nullptr when there is none

// The terms that a text has as whole words, in the order of the list.
std::vector<const Term*> terms_in(const std::string& text);

}  // namespace warpspy
