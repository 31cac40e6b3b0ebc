// What a file that is not Matrix Market looks like, so that the refusal can say it.
#pragma once

#include <string>
#include <string_view>

namespace warpspy {

struct Guess {
  std::string what;    // "an HTML page"; empty when nothing is recognised
  std::string remedy;  // what the user can do
};
// `head`: the first bytes of the file, some thousand are enough.
Guess guess_content(std::string_view head);

}  // namespace warpspy
