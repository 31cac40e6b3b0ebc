// A sweep's folder: its plan, and a file for each product that has ended. Every file is written completely or not at
// all, so that a killed sweep continues where it was.
//
//   sweep.json        the plan, in the form that a user can write by hand
//   cells/HASH.json   a product and its record; HASH is a hash of its inputs
//   matrices.json     the hashes of the matrices' contents, so that a large file is not read again
//   lock              held by the program that runs the sweep
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/folder.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/matrices.hpp"

namespace warpspy {

// The build and device that made a result. Results of two makers do not belong to one experiment.
struct Maker {
  std::string program;       // "0.1.0 (f0ec16a8f2b6)"
  std::string device;        // the device's name; "" if a run ended before it had a device
  std::string driver;        // driver of the device; "" for a simulated one
  std::string figures = {};  // for a model: a hash of its GPU's figures, which changes when the file is edited; "" for
                             // a device
  bool operator==(const Maker&) const = default;
  // "Warpspy 0.1.0 (f0ec16a8f2b6), NVIDIA H200, CUDA 13.0 driver"
  std::string text() const;
};

struct StoredCell {
  std::string id;
  Maker by;
  CellEnd end;
  double seconds = 0;  // how long the product took
  RunRecord record;
  std::vector<RunRecord> beside = {};  // for a product of a search: the products that took turns with it
};

// Another program runs the sweep.
struct SweepHeld : Error {
  using Error::Error;
};

class SweepFolder {
 public:
  enum class For : std::uint8_t {
    running,  // makes the folder if it does not exist, and locks it: only one program at a time runs a sweep
    reading,
  };
  // Throws Error if the folder has no sweep, it cannot be made, or a link is in the place of a file; and SweepHeld. A
  // folder with other files is never made into a sweep.
  SweepFolder(const std::string& path, For use);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  // Whether the folder has sweep.json and cells, and neither is a link.
  static bool is_one(const std::string& path);
  const std::string& path() const { return folder_.path(); }
  // All other files of the folder must be written through this, since the folder may come from a stranger.
  const Folder& folder() const { return folder_; }

  bool has_plan() const;
  SweepPlan plan() const;                  // throws Error
  void write_plan(const SweepPlan& plan);  // throws Error

  // The hash that identifies a cell: of the contents of its matrix, and of its whole request. Throws Error when the
  // matrix cannot be read, and Cancelled.
  std::string id_of(const SweepCell& cell, Progress& progress);
  // Returns nothing if the cell has not run, or its file is damaged; remarks() then says so.
  std::optional<StoredCell> find(const std::string& id);
  void write(const StoredCell& cell);  // throws Error
  // All cells of the folder, also those that this sweep does not ask for.
  std::vector<std::string> ids() const;

  // Writes the hashes of the matrices, once all are known. Throws Error.
  void keep_hashes();
  // Sentences about problems that were not reported before.
  std::vector<std::string> remarks();

 private:
  void lock();
  Folder folder_, cells_;
  int lock_ = -1;
  MatrixHashes hashes_;
  std::vector<std::string> remarks_;
};

std::string to_json(const StoredCell& cell);
// Throws Error if the text was cut off or changed after it was written.
StoredCell stored_cell_from_json(const std::string& text);

}  // namespace warpspy
