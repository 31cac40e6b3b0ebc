// A program run on behalf of a reader: what it writes to its standard output comes here, and whatever else it does
// (crash, hang, take memory, write files, complain) ends in a sentence. It is killed when it passes a bound, when the
// job is cancelled and when this object goes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/jobs/child_process.hpp"

namespace warpspy {

struct ChildBounds {
  std::uint64_t memory = UINT64_MAX;               // bytes, resident; of address space twice that and 1 GiB
  double seconds = 60;                             // by the clock, and of the processor
  std::uint64_t written = std::uint64_t{1} << 20;  // bytes in any one file
};

class Child {
 public:
  // `program` with one argument; it is to wait for the end of its standard input, when its bounds are set. `look` is
  // called some fifty times a second while it is waited for, with the bytes that the program has read from files so
  // far; what it throws ends the program. Throws Error (`label`) when it cannot be started.
  using Look = std::function<void(std::uint64_t bytes)>;
  Child(const std::string& program, const std::string& argument, const std::string& label, const ChildBounds& bounds,
        Look look);

  // Fills `to` with up to n bytes; fewer only when there will be no more.
  std::size_t read(char* to, std::size_t n);
  // Once read() gave fewer: how it ended ("crashed (signal 11)").
  std::string ending();

 private:
  void watch();

  using Clock = std::chrono::steady_clock;
  ChildBounds bounds_;
  Look look_;
  Clock::time_point started_ = Clock::now(), looked_;
  ChildProcess process_;
  bool silent_ = false;
  std::string stopped_;  // why it was killed here
};

// The program `name` of this installation: in the folder WARPSPY_READERS where that is set, else beside this program,
// in
// ../libexec/warpspy, or in the build tree. Throws Error (`label`) that says where it was looked for.
std::string reader_program(const std::string& name, const std::string& label);

}  // namespace warpspy
