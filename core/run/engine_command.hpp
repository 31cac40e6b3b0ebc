// The command that starts an engine elsewhere, as a user writes it: "ssh HOST warpspy engine".
#pragma once

#include <string>
#include <vector>

namespace warpspy {

struct EngineCommand {
  // The program and its arguments, started without a shell. ssh is told never to ask for anything, since the user would
  // not see the question.
  std::vector<std::string> words;
  // The name of the engine's machine in the names of its devices: the word before "warpspy", without the user ("gpubox"
  // of "ssh me@gpubox warpspy engine"). If no word is "warpspy", it is the program's name.
  std::string host;
};

// Words are divided by blanks; '...', "..." and \ keep blanks together. Throws Error for an empty command or an open
// quote.
EngineCommand engine_command(const std::string& text);

}  // namespace warpspy
