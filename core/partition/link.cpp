#include "core/partition/link.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/json_depth.hpp"
#include "core/base/regular_file.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::json;

void require(bool ok, const std::string& what, const std::string& path) {
  if (!ok) throw Error(what, path, "compare with the other files in assets/links");
}

std::string text_at(const Json& j, const char* key, const std::string& path) {
  const bool ok = j.contains(key) && j.at(key).is_string() && !j.at(key).get<std::string>().empty();
  require(ok, std::string("\"") + key + "\" is missing", path);
  return j.at(key).get<std::string>();
}

struct Figure {
  const char* id;
  double Link::* to;
  double least, most;
};
constexpr Figure figures[] = {{"gbs", &Link::gbs, 0.01, 1e5}, {"latency_us", &Link::latency_us, 0, 1e6}};

void read_figure(Link& link, const Figure& f, const Json& all, const std::string& path) {
  const std::string id = f.id;
  const bool whole =
      all.contains(id) && all.at(id).is_object() && all.at(id).contains("value") && all.at(id).at("value").is_number();
  require(whole, "figure " + id + " needs value and source", path);
  link.sources[id] = text_at(all.at(id), "source", path);
  const auto v = all.at(id).at("value").get<double>();
  require(v >= f.least && v <= f.most, "figure " + id + " makes no sense", path);
  link.*f.to = v;
}

}  // namespace

Link read_link(const std::string& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  const std::string text = read_file(path, kMostBytes, {"description of a link", "install Warpspy again"});
  const Json j = Json::parse(text, nullptr, false);
  require(j.is_object() && !nested_deeply(text), "this is not JSON", path);
  Link link;
  link.id = text_at(j, "id", path);
  link.name = text_at(j, "name", path);
  require(j.contains("gpus") && j.at("gpus").is_array() && !j.at("gpus").empty(), "\"gpus\" is missing", path);
  for (const Json& gpu : j.at("gpus")) {
    require(gpu.is_string(), "\"gpus\" has something that is no id of a GPU", path);
    link.gpus.push_back(gpu.get<std::string>());
  }
  require(j.contains("figures") && j.at("figures").is_object(), "\"figures\" is missing", path);
  for (const Figure& f : figures) read_figure(link, f, j.at("figures"), path);
  for (const auto& [id, value] : j.at("figures").items())
    require(link.sources.count(id) == 1, "figure " + id + " is unknown", path);
  return link;
}

std::vector<Link> read_links(const std::string& folder) {
  std::vector<Link> links;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".json") links.push_back(read_link(entry.path().string()));
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.id < b.id; });
  return links;
}

const Link& link_of(const std::vector<Link>& links, const std::string& gpu) {
  for (const Link& link : links)
    if (std::find(link.gpus.begin(), link.gpus.end(), gpu) != link.gpus.end()) return link;
  throw Error("no file of assets/links says how GPUs of this kind are linked", gpu,
              "add its id to a file there, or use --parts 1");
}

double travel_us(const Link& link, double messages, double bytes) {
  return messages * link.latency_us + bytes / (link.gbs * 1e3);
}

std::vector<PartResult> travelling_parts(const Partition& p, const Link& link, int value_bytes) {
  std::vector<PartResult> all = counts_of(p);
  const auto travel = [&](index_t messages, index_t numbers) {
    return travel_us(link, static_cast<double>(messages), static_cast<double>(numbers) * value_bytes);
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    PartResult& r = all[k];
    r.link_us = travel(r.messages, r.halo_in);
    for (const HaloIn& in : p.parts[k].in) {
      const PartResult& giver = all[static_cast<std::size_t>(in.from)];
      r.link_us = std::max(r.link_us, travel(giver.sent, giver.halo_out));
    }
  }
  return all;
}

std::vector<PartResult> timed_parts(const Partition& p, std::span<const double> local_us,
                                    std::span<const double> halo_us, const Link& link, int value_bytes) {
  std::vector<PartResult> all = travelling_parts(p, link, value_bytes);
  for (std::size_t k = 0; k < all.size(); ++k) {
    PartResult& r = all[k];
    r.local_us = local_us[k];
    r.halo_us = halo_us[k];
    r.waiting_us = std::max(0.0, r.link_us - r.local_us);
    r.time_us = r.local_us + r.waiting_us + r.halo_us;
  }
  return all;
}

}  // namespace warpspy
