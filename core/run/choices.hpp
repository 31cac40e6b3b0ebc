// What a search found, kept per device and matrix, so that the next one begins where it ended: a small file beside the
// history of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/catalog/catalog.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy {

// A number that changes with size, pattern and values; of a sample of a million entries where there are more.
// Columns are taken as they are stored.
std::uint64_t fingerprint_of(const Csr& a);

// What the choice is for.
struct ChoiceKey {
  std::string device;             // its name
  std::uint64_t fingerprint = 0;  // of the matrix
  Precision precision = Precision::f32;
  Operation operation = Operation::product;
  bool in_order = false;  // none whose next product begins before it ends
  bool operator==(const ChoiceKey&) const = default;
};
struct Choice {
  ChoiceKey key;
  std::string kernel;
  ParamSet params, format_params;
  double us = 0;      // as measured then
  std::string found;  // UTC
  bool operator==(const Choice&) const = default;
};

// $XDG_DATA_HOME/warpspy/choices.json, beside the history's file; "" where no history is kept.
std::string choices_path();

// The file as it is read, changed and written whole: of two that write at once the later one wins. A missing or damaged
// file holds nothing, and the next one that is kept replaces it.
class Choices {
 public:
  explicit Choices(std::string path);
  const Choice* find(const ChoiceKey& key) const;  // nullptr when there is none
  // In place of an earlier one with this key. Throws Error when the file cannot be written. No path: nothing is kept.
  void keep(Choice choice);
  std::size_t size() const { return all_.size(); }

 private:
  std::string path_;
  std::vector<Choice> all_;
};

}  // namespace warpspy
