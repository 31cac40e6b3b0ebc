// Runs the program as a user does, through a shell.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace warpspy::testing {

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file name of this process alone.
inline std::string scratch(const std::string& name) {
  return ::testing::TempDir() + "warpspy_cli_" + std::to_string(::getpid()) + "_" + name;
}

struct Ran {
  int code = -1;
  std::string out, err;
};
// `environment`: further NAME=VALUE for the shell; by default no run is kept.
inline Ran warpspy(const std::string& args, const std::string& environment = "WARPSPY_RUNS=off") {
  const std::string out = scratch("out"), err = scratch("err");
  const std::string line = "WARPSPY_CACHE=off " + environment + " '" + WARPSPY_PROGRAM + "' " + args + " >'" + out +
                           "' 2>'" + err + "' </dev/null";
  const int status = std::system(line.c_str());
  Ran r{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(err)};
  std::remove(out.c_str());
  std::remove(err.c_str());
  return r;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace warpspy::testing
