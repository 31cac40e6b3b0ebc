// Runs a program for a reader and reads its standard output. If the program fails in any way (crash, hang, too much
// memory, writing files, complaints), the result is a sentence. The program is killed when it exceeds a bound, when the
// job is cancelled, and by the destructor.
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
  double seconds = 60;                             // limit of both the wall-clock time and the processor time
  std::uint64_t written = std::uint64_t{1} << 20;  // bytes in any one file
};

class Child {
 public:
  // Starts `program` with one argument. The program must first wait for the end of its standard input, since its limits
  // are set until then. While the program runs, `look` is called some fifty times a second, with the bytes that the
  // program has read from files so far. If `look` throws, the program is ended. Throws Error (`label`) when it cannot
  // be started.
  using Look = std::function<void(std::uint64_t bytes)>;
  Child(const std::string& program, const std::string& argument, const std::string& label, const ChildBounds& bounds,
        Look look);

  // Fills `to` with up to n bytes; it returns fewer only if no more will come.
  std::size_t read(char* to, std::size_t n);
  // After read() has returned fewer bytes than asked: how the program ended ("crashed (signal 11)").
  std::string ending();

 private:
  void watch();

  using Clock = std::chrono::steady_clock;
  ChildBounds bounds_;
  Look look_;
  Clock::time_point started_ = Clock::now(), looked_;
  ChildProcess process_;
  bool silent_ = false;
  std::string stopped_;  // why this process killed it
};

// The program `name` of this installation: in the folder WARPSPY_READERS where that is set, else beside this program,
// in
// ../libexec/warpspy, or in the build tree. Throws Error (`label`) that says where it was looked for.
std::string reader_program(const std::string& name, const std::string& label);

}  // namespace warpspy
