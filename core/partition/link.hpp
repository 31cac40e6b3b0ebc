// The link between GPUs as data, and the time of a product over several of them. Links are JSON files in assets/links.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/partition/partition.hpp"

namespace warpspy {

struct Link {
  std::string id;                              // "nvlink4"
  std::string name;                            // "NVLink 4 through NVSwitch"
  std::vector<std::string> gpus;               // ids of the simulated GPUs (GpuSpec::id) that it joins
  double gbs = 0;                              // GB/s that a GPU gets, and gives at the same time
  double latency_us = 0;                       // of each message
  std::map<std::string, std::string> sources;  // of gbs and latency_us
};

// Reads one file. Throws Error naming the file and the figure that is missing, unsourced or senseless.
Link read_link(const std::string& path);
// All of a folder, by id; none if there is no such folder.
std::vector<Link> read_links(const std::string& folder);
// The link of a GPU. Throws Error if no file names it.
const Link& link_of(const std::vector<Link>& links, const std::string& gpu);

// Time of messages one after another, in us: messages x latency + bytes / bandwidth.
double travel_us(const Link& link, double messages, double bytes);

// The parts of a run without times, but with link_us: how long the halo is on its way.
std::vector<PartResult> travelling_parts(const Partition& p, const Link& link, int value_bytes);

// The times of a product, in us, from those of each part's local product and product with its halo (0: it has none):
// the halo travels while the local product runs, then the part waits for it, and then the product with the halo runs. A
// part has its halo when it has got all its messages and each of its givers has given all of its own, since its message
// may be the last. All parts begin at once.
std::vector<PartResult> timed_parts(const Partition& p, std::span<const double> local_us,
                                    std::span<const double> halo_us, const Link& link, int value_bytes);

}  // namespace warpspy
