// A sweep as a folder: what was asked for, and a file for each product that has ended. Nothing in it is ever half
// written, so that a sweep that was killed goes on where it was.
//
//   sweep.json        what was asked for: the same file that can be written by hand
//   cells/HASH.json   a product and its record; HASH is of its inputs
//   matrices.json     the hashes of the matrices' contents, so that a large file is not read again
//   lock              held by who runs it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/folder.hpp"
#include "core/run/sweep.hpp"
#include "core/sweep/matrices.hpp"

namespace warpspy {

// Who made a result: results of two makers are not one experiment.
struct Maker {
  std::string program;       // "0.1.0 (f0ec16a8f2b6)"
  std::string device;        // its name; "" where a run ended before it had one
  std::string driver;        // of the device; "" for a model
  std::string figures = {};  // of a model: a hash of its GPU's, which a file edited by hand changes; "" for a device
  bool operator==(const Maker&) const = default;
  // "Warpspy 0.1.0 (f0ec16a8f2b6), NVIDIA H200, CUDA 13.0 driver"
  std::string text() const;
};

struct StoredCell {
  std::string id;
  Maker by;
  CellEnd end;
  double seconds = 0;  // that it took
  RunRecord record;
  std::vector<RunRecord> beside = {};  // of a product of a search: what took turns with it
};

class SweepFolder {
 public:
  enum class For : std::uint8_t {
    running,  // made where it is not there, and locked: one program at a time runs a sweep
    reading,
  };
  // Throws Error: no sweep there, another program runs it, it cannot be made, or links lie where files belong. A folder
  // with other files in it becomes none.
  SweepFolder(const std::string& path, For use);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  // It has sweep.json and cells, and neither is a link.
  static bool is_one(const std::string& path);
  const std::string& path() const { return folder_.path(); }
  // For what else is written there: through this alone, since the folder may be a stranger's.
  const Folder& folder() const { return folder_; }

  bool has_plan() const;
  SweepPlan plan() const;                  // throws Error
  void write_plan(const SweepPlan& plan);  // throws Error

  // By what a cell is known: the contents of its matrix, and everything that was asked for. Throws Error when the
  // matrix cannot be read, and Cancelled.
  std::string id_of(const SweepCell& cell, Progress& progress);
  // Nothing: it has not run, or what is there is damaged, which remarks() tell.
  std::optional<StoredCell> find(const std::string& id);
  void write(const StoredCell& cell);  // throws Error
  // Cells that lie here, whoever asked for them.
  std::vector<std::string> ids() const;

  // The hashes of matrices, once they are all known. Throws Error.
  void keep_hashes();
  // Sentences on what was wrong and not told before.
  std::vector<std::string> remarks();

 private:
  void lock();
  Folder folder_, cells_;
  int lock_ = -1;
  MatrixHashes hashes_;
  std::vector<std::string> remarks_;
};

std::string to_json(const StoredCell& cell);
// Throws Error for what was cut off or changed since it was written.
StoredCell stored_cell_from_json(const std::string& text);

}  // namespace warpspy
