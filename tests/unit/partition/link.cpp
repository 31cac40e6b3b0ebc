// Links as data, and the time of a product over parts.
#include "core/partition/link.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "core/gpu/gpu_spec.hpp"
#include "tests/paths.hpp"
#include "tests/shapes.hpp"

namespace warpspy {
namespace {

const std::string assets = WARPSPY_SOURCE_DIR "/assets";

TEST(Link, EverySimulatedGpuHasOne) {
  const std::vector<Link> links = read_links(assets + "/links");
  std::multiset<std::string> named;
  for (const Link& link : links) {
    named.insert(link.gpus.begin(), link.gpus.end());
    for (const char* figure : {"gbs", "latency_us"}) EXPECT_FALSE(link.sources.at(figure).empty()) << link.id;
  }
  for (const GpuSpec& gpu : read_gpu_specs(assets + "/gpus")) EXPECT_EQ(named.erase(gpu.id), 1u) << gpu.id;
  EXPECT_TRUE(named.empty()) << *named.begin() << " is no GPU of assets/gpus";
  EXPECT_EQ(link_of(links, "k20x").id, "pcie2");
  EXPECT_THROW(link_of(links, "abacus"), Error);
  EXPECT_TRUE(read_links(assets + "/no such folder").empty());
}

// The bytes that four H200 of one host sent each other, and the times of a kernel that reads them, without its launch
// of 2.5 us (assets/links/nvlink4.json names the measurement).
TEST(Link, OfTheH200IsNearWhatWasMeasured) {
  const std::vector<Link> links = read_links(assets + "/links");
  const Link& link = link_of(links, "h200");
  EXPECT_NEAR(travel_us(link, 1, 8), 4.3 - 2.5, 0.1);
  EXPECT_NEAR(travel_us(link, 1, 16 * 1048576.0), 50.4 - 2.5, 0.05 * 50);
  EXPECT_NEAR(travel_us(link, 1, 256 * 1048576.0), 735 - 2.5, 0.05 * 735);
}

TEST(Link, BadFilesAreRefused) {
  const auto path = std::filesystem::temp_directory_path() / ("warpspy_link_" + std::to_string(getpid()) + ".json");
  const auto refusal = [&](const std::string& text) -> std::string {
    std::ofstream(path) << text;
    try {
      read_link(path.string());
    } catch (const Error& e) {
      return e.reason;
    }
    return "none";
  };
  const std::string good = R"({"id": "a", "name": "b", "gpus": ["c"], "figures": {"gbs": {"value": 8, "source": "s"}, )"
                           R"("latency_us": {"value": 2, "source": "s"}}})";
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(refusal(good), "none");
  EXPECT_EQ(refusal("no JSON"), "this is not JSON");
  EXPECT_EQ(refusal("[]"), "this is not JSON");
  EXPECT_EQ(refusal(with("\"id\"", "\"is\"")), "\"id\" is missing");
  EXPECT_EQ(refusal(with("[\"c\"]", "[]")), "\"gpus\" is missing");
  EXPECT_EQ(refusal(with("\"c\"", "7")), "\"gpus\" has something that is no id of a GPU");
  EXPECT_EQ(refusal(with("\"gbs\"", "\"gigabytes\"")), "figure gbs needs value and source");
  EXPECT_EQ(refusal(with("8", "\"8\"")), "figure gbs needs value and source");
  EXPECT_EQ(refusal(with("8", "0")), "figure gbs makes no sense");
  EXPECT_EQ(refusal(with("\"s\"}, ", "\"\"}, ")), "\"source\" is missing");
  EXPECT_EQ(refusal(with("}}}", "}, \"colour\": {}}}")), "figure colour is unknown");
  std::filesystem::remove(path);
}

// Three parts of a matrix of 3 rows: part 0 needs x of both others, part 1 that of part 0, part 2 none.
TEST(Link, TheHaloTravelsWhileTheLocalProductRuns) {
  const Csr a = testing::from_rows(3, {{0, 1, 2}, {0, 1}, {2}}, testing::some_value);
  Progress progress;
  const Partition p = partition_of(a, {0, 1, 2}, 3, progress);
  Link link;
  link.gbs = 0.001, link.latency_us = 10;  // a byte takes 1 us
  const double local[] = {100, 5, 7}, halo[] = {20, 3, 0};
  const std::vector<PartResult> t = timed_parts(p, local, halo, link, 8);
  EXPECT_DOUBLE_EQ(t[0].link_us, 2 * (10 + 8));
  EXPECT_DOUBLE_EQ(t[0].waiting_us, 0) << "its halo came before the local product was done";
  EXPECT_DOUBLE_EQ(t[0].time_us, 120);
  EXPECT_DOUBLE_EQ(t[1].link_us, 18);
  EXPECT_DOUBLE_EQ(t[1].waiting_us, 13);
  EXPECT_DOUBLE_EQ(t[1].time_us, 5 + 13 + 3);
  EXPECT_DOUBLE_EQ(t[2].link_us, 0) << "it gives, and gets nothing";
  EXPECT_DOUBLE_EQ(t[2].time_us, 7);
  // Part 1 now also gives to part 2: part 0 may have to wait for both of its messages.
  const Csr b = testing::from_rows(3, {{0, 1}, {1}, {1, 2}}, testing::some_value);
  const Partition q = partition_of(b, {0, 1, 2}, 3, progress);
  EXPECT_DOUBLE_EQ(timed_parts(q, local, halo, link, 8)[0].link_us, 36);
  EXPECT_DOUBLE_EQ(timed_parts(q, local, halo, link, 8)[2].link_us, 36);
}

}  // namespace
}  // namespace warpspy
