// The part of CUPTI that needs no device. It tells what a chip can count and in how many passes, and turns raw counts
// into numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpspy {

// The chips that the library knows ("GH100"); empty without the library.
std::vector<std::string> cupti_chips();

// The configuration with which a device counts some metrics.
struct CounterConfig {
  std::vector<std::string> metrics;
  std::vector<std::uint8_t> image;
  int passes = 0;  // how often the range runs; 0 for no metrics
};

class ChipHost {
 public:
  // `availability` is what the device says about its counters; empty without a device. Throws CounterFailure if there
  // is no library, or it does not know or support the chip.
  explicit ChipHost(const std::string& chip, std::vector<std::uint8_t> availability = {});
  ~ChipHost();
  ChipHost(const ChipHost&) = delete;
  ChipHost& operator=(const ChipHost&) = delete;

  const std::string& chip() const { return chip_; }
  // Whether the chip has a metric, given with its roll-up (.sum, .avg ...): "dram__bytes_read.sum".
  bool has(const std::string& metric) const;
  // The configuration that counts these metrics. Give all of them in one call, since added one by one they would take
  // more passes. Throws CounterFailure.
  CounterConfig config(std::vector<std::string> metrics) const;
  // The metrics' values in range 0 of a counter data image, by name. Throws CounterFailure.
  std::map<std::string, double> values(std::span<const std::uint8_t> data,
                                       const std::vector<std::string>& metrics) const;

 private:
  struct Object;
  std::string chip_;
  std::vector<std::uint8_t> availability_;
  std::unique_ptr<Object> object_;
};

}  // namespace warpspy
