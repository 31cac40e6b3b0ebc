#include "core/run/choices.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/splitmix.hpp"
#include "core/base/target.hpp"
#include "core/run/history.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostChoiceBytes = std::uint64_t{64} << 20;
constexpr std::size_t most = 2000;  // choices that are kept: the oldest go first
constexpr std::size_t sampled = 1'000'000;

Json to_json(const Choice& c) {
  char fingerprint[24];
  std::snprintf(fingerprint, sizeof fingerprint, "%016llx", static_cast<unsigned long long>(c.key.fingerprint));
  return {{"device", c.key.device},
          {"matrix", fingerprint},
          {"precision", name_of(c.key.precision)},
          {"operation", name_of(c.key.operation)},
          {"in_order", c.key.in_order},
          {"kernel", c.kernel},
          {"params", c.params},
          {"format_params", c.format_params},
          {"us", c.us},
          {"found", c.found}};
}

Choice choice_of(const Json& j) {
  Choice c;
  c.key.device = j.at("device").get<std::string>();
  c.key.fingerprint = std::stoull(j.at("matrix").get<std::string>(), nullptr, 16);
  c.key.precision = j.at("precision") == name_of(Precision::f64) ? Precision::f64 : Precision::f32;
  for (const Operation o : {Operation::product, Operation::transposed_product, Operation::axpy})
    if (j.at("operation") == name_of(o)) c.key.operation = o;
  c.key.in_order = j.at("in_order").get<bool>();
  c.kernel = j.at("kernel").get<std::string>();
  c.params = j.at("params").get<ParamSet>();
  c.format_params = j.at("format_params").get<ParamSet>();
  c.us = j.at("us").get<double>();
  c.found = j.at("found").get<std::string>();
  return c;
}

}  // namespace

std::uint64_t fingerprint_of(const Csr& a) {
  std::uint64_t h = 0;
  const auto add = [&](std::uint64_t v) { h = splitmix::after(h ^ v); };
  for (const index_t n : {a.rows(), a.cols(), a.nnz()}) add(static_cast<std::uint64_t>(n));
  const auto step_for = [](std::size_t count) { return count / sampled + 1; };
  for (std::size_t i = 0; i < a.row_ptr().size(); i += step_for(a.row_ptr().size()))
    add(static_cast<std::uint64_t>(a.row_ptr()[i]));
  a.columns().visit([&](auto columns) {
    const std::size_t step = step_for(columns.size());
    for (std::size_t k = 0; k < columns.size(); k += step)
      add(static_cast<std::uint64_t>(columns[k]) ^ std::bit_cast<std::uint64_t>(static_cast<double>(a.values()[k])));
  });
  return h;
}

std::string choices_path() {
  const std::string runs = history_path();
  return runs.empty() ? "" : (std::filesystem::path(runs).parent_path() / "choices.json").string();
}

Choices::Choices(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::string text;
  try {
    text = read_file_if_there(path_, kMostChoiceBytes).value_or("");
  } catch (const Error&) {  // the file is only there to save a search
  }
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) return;
  for (const Json& j : list) try {
      all_.push_back(choice_of(j));
    } catch (const std::exception&) {  // a line that another version wrote is none of ours
    }
}

const Choice* Choices::find(const ChoiceKey& key) const {
  const auto at = std::find_if(all_.begin(), all_.end(), [&](const Choice& c) { return c.key == key; });
  return at == all_.end() ? nullptr : &*at;
}

void Choices::keep(Choice choice) {
  if (path_.empty()) return;
  all_ = Choices(path_).all_;  // what others have kept meanwhile
  std::erase_if(all_, [&](const Choice& c) { return c.key == choice.key; });
  all_.push_back(std::move(choice));
  if (all_.size() > most) all_.erase(all_.begin(), all_.end() - static_cast<std::ptrdiff_t>(most));
  Json list = Json::array();
  for (const Choice& c : all_) list.push_back(to_json(c));
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(),
                                      failed);  // writing says what is wrong
  write_file(path_, json_text(list) + "\n", Readers::owner);
}

}  // namespace warpspy
