#include "profiling/simulated/machine_code.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "core/base/json_depth.hpp"
#include "core/base/json_problem.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"

namespace warpspy {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* remedy = "install Warpspy again";

// "115 19 0 0, 38 12 0 0": numbers of instructions and of certain steps, for the whole code and for each loop.
std::string text_of(const std::vector<CodePart>& parts) {
  std::string text;
  for (const CodePart& p : parts) {
    text += text.empty() ? "" : ", ";
    text += std::to_string(p.instructions) + " " + std::to_string(p.memory) + " " + std::to_string(p.shared) + " " +
            std::to_string(p.between);
  }
  return text;
}
std::vector<CodePart> parts_of(const std::string& text, const std::string& file) {
  std::vector<CodePart> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    std::istringstream numbers(part);
    CodePart p;
    if (!(numbers >> p.instructions >> p.memory >> p.shared >> p.between) || !(numbers >> std::ws).eof())
      throw Error("these are no instructions of a kernel: " + part, file, remedy);
    parts.push_back(p);
  }
  return parts;
}

}  // namespace

std::string to_json(const MachineCode& code) {
  Json j;
  j["toolkit"] = code.toolkit;
  j["architecture"] = "9.0";
  j["kernels"] = Json(code.kernels);
  Json registers = Json::object();
  for (const auto& [name, count] : code.registers) registers[name] = count;
  j["registers"] = std::move(registers);
  Json instructions = Json::object();
  for (const auto& [name, parts] : code.parts) instructions[name] = text_of(parts);
  j["instructions"] = std::move(instructions);
  return json_text(j, 1) + "\n";
}

MachineCode machine_code_from_json(const std::string& text, const std::string& file) try {
  if (nested_deeply(text)) throw Error("this is no machine code of kernels: it is nested too deeply", file, remedy);
  const Json j = Json::parse(text);
  MachineCode code{j.at("toolkit").get<std::string>(), j.at("kernels").get<std::map<std::string, std::string>>(), {}};
  for (const auto& [name, count] : j.at("registers").items()) code.registers[name] = whole_of<int>(count);
  for (const auto& [name, its] : j.at("instructions").items())
    code.parts[name] = parts_of(its.get<std::string>(), file);
  return code;
} catch (const Json::exception& e) {
  throw Error(std::string("this is no machine code of kernels: ") + json_problem(e), file, remedy);
}

void take_counted(const std::string& text, const std::string& file, MachineCode& code) try {
  if (nested_deeply(text)) throw Error("these are no counted instructions: they are nested too deeply", file, remedy);
  const Json j = Json::parse(text);
  for (const auto& [kernel, its] : j.at("kernels").items()) {
    const double times = its.at("times").get<double>();
    if (!(times >= 0.1 && times <= 10)) throw Error(kernel + " has no such factor", file, remedy);
    const auto now = code.kernels.find(kernel);
    if (now != code.kernels.end() && now->second == its.at("code").get<std::string>()) code.counted[kernel] = times;
  }
} catch (const Json::exception& e) {
  throw Error(std::string("these are no counted instructions: ") + json_problem(e), file, remedy);
}

MachineCode read_machine_code(const std::string& assets) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 24;
  const auto text_if_there = [&](const std::string& file) {
    return read_file_if_there(file, most_bytes, {"machine code of the kernels", remedy});
  };
  const std::string file = assets + "/kernels/machine_code.json", counted = assets + "/kernels/counted.json";
  const std::optional<std::string> text = text_if_there(file);
  if (!text) return {};
  MachineCode code = machine_code_from_json(*text, file);
  if (const auto counts = text_if_there(counted)) take_counted(*counts, counted, code);
  return code;
}

}  // namespace warpspy
