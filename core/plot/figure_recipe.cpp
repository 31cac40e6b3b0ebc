#include "core/plot/figure_recipe.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/base64.hpp"
#include "core/base/json_depth.hpp"
#include "core/base/json_members.hpp"
#include "core/base/json_text.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/types.hpp"
#include "core/plot/plot_check.hpp"
#include "core/plot/plot_json.hpp"
#include "core/plot/png.hpp"
#include "core/run/record.hpp"
#include "core/run/store.hpp"

namespace warpspy::plot {
namespace {

using json = nlohmann::ordered_json;

// "warpspy-recipe 1 SEAL FACTS FIGURE.": SEAL is the check sum of the file without the seal. FACTS is base64 of JSON,
// FIGURE of compressed JSON. If a file format has fields for facts, they are also written there as text.
constexpr const char* kBegin = "warpspy-recipe 1 ";
constexpr const char* kOpenSeal = "00000000";
constexpr std::size_t kSealDigits = 8;
constexpr const char* kComment = "\n% recipe: ";  // starts a line of the recipe in a TeX file
constexpr std::size_t kCommentWidth = 100;        // TeX limits the length of lines
// Limit of an unpacked figure; a pattern with the most cells takes half of it.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

std::string hex(std::uint32_t v) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", v);
  return text;
}
[[noreturn]] void not_whole() {
  throw Error("the recipe in this figure is not whole", {}, "take the file as it was written");
}

std::string packed(const std::string& text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
            static_cast<uLong>(text.size()), 6);
  out.resize(size);
  return out;
}

std::string unpacked(const std::string& bytes) {
  z_stream z{};
  if (inflateInit(&z) != Z_OK) not_whole();
  struct End {
    z_stream& z;
    ~End() { inflateEnd(&z); }
  } end{z};
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  std::array<char, 1 << 16> part;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    z.next_out = reinterpret_cast<Bytef*>(part.data()), z.avail_out = static_cast<uInt>(part.size());
    state = inflate(&z, Z_NO_FLUSH);
    if ((state != Z_OK && state != Z_STREAM_END) || out.size() > kMostBytes) not_whole();
    out.append(part.data(), part.size() - z.avail_out);
  }
  return out;
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

struct RecipeJson {
  using Json = json;
};
template <class IO>
void members(IO& io, FigureRecipe::Matrix& m) {
  io("source", m.source), io("hash", m.hash);
}
template <class IO>
void members(IO& io, FigureRecipe& r) {
  io("command", r.command), io("version", r.version), io("matrices", r.matrices), io("devices", r.devices);
  io("runs", r.runs), io("provenance", r.provenance);
}
template <class IO>
void members(IO& io, Page& p) {
  int colours = static_cast<int>(p.colours);
  io("preset", p.preset), io("width", p.width), io("height", p.height), io("font_pt", p.font_pt);
  io("title", p.title), io("legend", p.legend), io("colours", colours), io("dark", p.dark);
  io("png_scale", p.png_scale);
  if (io.reads && (colours < 0 || colours > 2 || !page_preset(p.preset))) not_whole();
  p.colours = static_cast<Colours>(colours);
}

// The recipe's own chunk of a PNG.
constexpr std::string_view kPngRecipe("tEXtRecipe\0", 11);

// The file's bytes as they were when the check sum was computed.
std::string unsealed(std::string bytes, std::size_t seal) {
  if (is_png(bytes)) {
    const auto [first, past] = find_png_chunk(bytes, kPngRecipe);
    return bytes.erase(first, past - first);
  }
  return bytes.replace(seal, kSealDigits, kOpenSeal);
}

}  // namespace

std::string recipe_text(const FigureRecipe& recipe, const Plot& plot, const Page& page) {
  Plot drawn = plot;
  if (drawn.rows.size() > kMostRows) drawn.rows.clear();
  json figure = {
      {"page", json_of<RecipeJson>(page)}, {"rows", drawn.rows.size() == plot.rows.size()}, {"plot", plot_text(drawn)}};
  if (!recipe.desk.empty()) figure["desk"] = recipe.desk;
  return std::string(kBegin) + kOpenSeal + " " + base64(facts_json(recipe)) + " " +
         base64(packed(json_text(figure, -1))) + ".";
}

void add_device(FigureRecipe& recipe, const std::string& device, Provenance provenance) {
  add_once(recipe.devices, device);
  const std::string word = name_of(provenance);
  if (recipe.provenance.find(word) == std::string::npos)
    recipe.provenance += (recipe.provenance.empty() ? "" : " and ") + word;
}

void add_run(FigureRecipe& recipe, const RunRecord& run, bool kept) {
  if (kept && run.id > 0 && run.id < kUnsaved) add_once(recipe.runs, run.id);
  char driver[48] = "";
  if (const Quantity* version = run.detail("driver"))
    std::snprintf(driver, sizeof driver, ", driver of CUDA %.1f", version->value);
  add_device(recipe, run.device_name + driver, run.provenance);
}

namespace {

// Whether the command names each of the runs.
bool names_all(const std::string& command, const std::vector<std::uint64_t>& runs) {
  const std::string words = " " + command + " ";
  return std::all_of(runs.begin(), runs.end(),
                     [&](std::uint64_t id) { return words.find(" " + std::to_string(id) + " ") != std::string::npos; });
}

}  // namespace

std::string facts_line(const FigureRecipe& r) {
  std::string text = r.command;
  const auto add = [&](const std::string& words) {
    if (!words.empty()) text += (text.empty() ? "" : "; ") + words;
  };
  add(r.version.empty() ? "" : "Warpspy " + r.version);
  for (const FigureRecipe::Matrix& m : r.matrices) add(m.source + (m.hash.empty() ? "" : " (" + m.hash + ")"));
  for (const std::string& device : r.devices) add(device);
  if (!names_all(r.command, r.runs)) {
    std::string runs;
    for (const std::uint64_t id : r.runs) runs += (runs.empty() ? "runs " : ", ") + std::to_string(id);
    add(runs);
  }
  add(r.provenance);
  return text;
}

std::string facts_json(const FigureRecipe& r) { return json_text(json_of<RecipeJson>(r), -1); }

std::string as_comment(const std::string& recipe_text) {
  std::string lines;
  for (std::size_t at = 0; at < recipe_text.size(); at += kCommentWidth)
    lines += (at == 0 ? kComment + 1 : kComment) + recipe_text.substr(at, kCommentWidth);
  return lines.empty() ? "" : lines + "\n";
}

std::string sealed(std::string file, const std::string& ending, const std::string& recipe_text) {
  if (ending == ".png") {
    std::string text = recipe_text;
    text.replace(std::string(kBegin).size(), kSealDigits, hex(crc_of(file)));
    // Inserts it before the final chunk, which takes 12 bytes.
    return file.insert(file.size() - 12, png_chunk(std::string(kPngRecipe) + text));
  }
  const std::size_t at = file.find(kBegin);
  if (at == std::string::npos) return file;
  return file.replace(at + std::string(kBegin).size(), kSealDigits, hex(crc_of(file)));
}

std::string figure_bytes(const std::string& path) {
  constexpr std::uint64_t kMostFileBytes = std::uint64_t{256} << 20;
  return read_file(path, kMostFileBytes, {"figure", "name a file that Warpspy drew"});
}

FoundFigure read_figure(const std::string& bytes) {
  const std::size_t begin = bytes.find(kBegin);
  if (begin == std::string::npos)
    throw Error("this file has no recipe of Warpspy", {}, "SVG, PDF, PNG, PGF and TeX that Warpspy wrote have one");
  const std::size_t seal = begin + std::string(kBegin).size(), end = bytes.find('.', seal);
  if (end == std::string::npos) not_whole();
  std::string body = bytes.substr(seal, end - seal);
  for (std::size_t at = 0; (at = body.find(kComment, at)) != std::string::npos;)
    body.erase(at, std::string_view(kComment).size());
  const std::size_t first = body.find(' '), second = first == std::string::npos ? first : body.find(' ', first + 1);
  if (first != kSealDigits || second == std::string::npos) not_whole();
  const auto facts = from_base64(body.substr(first + 1, second - first - 1));
  const auto figure = from_base64(body.substr(second + 1));
  if (!facts || !figure) not_whole();
  FoundFigure found;
  try {
    if (nested_deeply(*facts) || parts_of(*facts) > kMostJsonParts) not_whole();
    read_json_of<RecipeJson>(json::parse(*facts), found.recipe);
    const std::string text = unpacked(*figure);
    if (nested_deeply(text) || parts_of(text) > kMostJsonParts) not_whole();
    const json j = json::parse(text);
    read_json_of<RecipeJson>(j.at("page"), found.page);
    require_drawable(found.page);
    found.has_rows = j.at("rows").get<bool>();
    found.plot = plot_of(j.at("plot").get<std::string>());
    found.recipe.desk = j.value("desk", std::string());
  } catch (const nlohmann::json::exception&) {
    not_whole();
  }
  found.edited = hex(crc_of(unsealed(bytes, seal))) != body.substr(0, kSealDigits);
  return found;
}

}  // namespace warpspy::plot
