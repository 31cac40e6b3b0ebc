#include "core/figure/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/number_text.hpp"
#include "core/base/types.hpp"

namespace warpspy::figure {
namespace {

[[noreturn]] void refuse(const char* what, const std::string& text, const char* remedy) {
  throw Error(std::string(what) + " '" + text + "' is not understood", {}, remedy);
}

double number_of(const char* what, const std::string& text, const char* remedy) {
  double v = 0;
  const char* end = text.data() + text.size();
  const auto [next, failed] = std::from_chars(text.data(), end, v);
  if (failed != std::errc{} || next != end || !std::isfinite(v)) refuse(what, text, remedy);
  return v;
}

template <class T>
T whole_number(const char* what, const std::string& text, const char* remedy) {
  T v = 0;
  const char* end = text.data() + text.size();
  const auto [next, failed] = std::from_chars(text.data(), end, v);
  if (failed != std::errc{} || next != end) refuse(what, text, remedy);
  return v;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t past = std::min(text.find(at, first), text.size());
    parts.push_back(text.substr(first, past - first));
    first = past + 1;
  }
  return parts;
}
std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& p : parts) text += (text.empty() ? "" : between) + p;
  return text;
}

std::string range_text(const std::optional<double>& min, const std::optional<double>& max) {
  if (!min && !max) return "";
  return (min ? csv::number(*min) : "") + ":" + (max ? csv::number(*max) : "");
}
void set_range(std::optional<double>& min, std::optional<double>& max, const std::string& text) {
  constexpr const char* kRemedy = "write MIN:MAX, or one of them: 1:, :100";
  const std::vector<std::string> ends = split(text, ':');
  if (ends.size() != 2) refuse("the range", text, kRemedy);
  const auto end = [&](const std::string& s) {
    return s.empty() ? std::optional<double>() : number_of("the range", s, kRemedy);
  };
  min = end(ends[0]), max = end(ends[1]);
  if (min && max && !(*min < *max)) refuse("the range", text, "the first end is the smaller one");
}

// A number with a name, as in "6:HYB K".
std::string named_text(double v, const std::string& name) { return name.empty() ? "" : csv::number(v) + ":" + name; }
std::pair<double, std::string> named_of(const char* what, const std::string& text) {
  const std::size_t colon = text.find(':');
  constexpr const char* kRemedy = "write NUMBER:NAME, such as 6:HYB K";
  if (colon == std::string::npos || colon + 1 == text.size()) refuse(what, text, kRemedy);
  return {number_of(what, text.substr(0, colon), kRemedy), text.substr(colon + 1)};
}

std::string ids_text(const std::vector<std::uint64_t>& ids) {
  std::vector<std::string> texts;
  for (const std::uint64_t id : ids) texts.push_back(std::to_string(id));
  return joined(texts, ",");
}
std::vector<std::uint64_t> ids_of(const std::string& text) {
  std::vector<std::uint64_t> ids;
  for (const std::string& one : split(text, ','))
    ids.push_back(whole_number<std::uint64_t>("the run", one, "name runs by their numbers, with commas between"));
  return ids;
}

std::string params_text(const ParamSet& set) {
  std::string text;
  for (const auto& [id, value] : set) text += (text.empty() ? "" : ",") + id + "=" + csv::number(value);
  return text;
}
ParamSet params_of(const std::string& text) {
  constexpr const char* kRemedy = "write NAME=NUMBER, with commas between several";
  ParamSet set;
  for (const std::string& one : split(text, ',')) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0) refuse("the parameter", one, kRemedy);
    set[one.substr(0, equals)] = number_of("the parameter", one.substr(equals + 1), kRemedy);
  }
  return set;
}

std::string part_text(const Window& w) {
  std::string text;
  for (const index_t v : {w.row0, w.row1, w.col0, w.col1}) text += (text.empty() ? "" : ":") + std::to_string(v);
  return text;
}
Window part_of(const std::string& text) {
  constexpr const char* kRemedy = "write ROW:ROW:COLUMN:COLUMN, each counted from 0, the second of each not included";
  const std::vector<std::string> ends = split(text, ':');
  if (ends.size() != 4) refuse("the part", text, kRemedy);
  const auto end = [&](std::size_t k) { return whole_number<index_t>("the part", ends[k], kRemedy); };
  const Window w{end(0), end(1), end(2), end(3)};
  if (w.row0 < 0 || w.col0 < 0 || w.row0 >= w.row1 || w.col0 >= w.col1) refuse("the part", text, kRemedy);
  return w;
}

// The name of an enum's value; `names` has the order of the enum.
template <class E, std::size_t N>
E word_of(const char* const (&words)[N], const std::string& text) {
  for (std::size_t k = 0; k < N; ++k)
    if (text == words[k]) return static_cast<E>(k);
  refuse("the word", text, "see --help");
}
template <class E, std::size_t N>
std::string text_of(const char* const (&words)[N], E value, E usual) {
  return value == usual ? "" : words[static_cast<std::size_t>(value)];
}

constexpr const char* kShadings[] = {"linear", "log", "binary"};
constexpr const char* kMaps[] = {"cividis", "viridis", "grey"};
constexpr const char* kMeasures[] = {"gflops", "roof", "best", "preparation"};
constexpr const char* kFlops[] = {"useful", "executed"};
constexpr const char* kColours[] = {"level", "matrix", "kernel", "device"};
constexpr const char* kPictures[] = {"automatic", "arrays", "padding"};
constexpr const char* kPrecisions[] = {"f32", "f64"};
constexpr const char* kViews[] = {"real", "modulus"};

template <std::size_t N>
std::vector<const char*> listed(const char* const (&words)[N]) {
  return {words, words + N};
}
std::string yes(bool on) { return on ? "yes" : ""; }

// A named format is always written out, since its command may have another default.
template <class E>
std::string said_of_format(const Options& o, E value, E usual) {
  return o.format.format.empty() && value == usual ? "" : name_of(value);
}

// The one list of choices.
const Field kFields[] = {
    {.id = "x-range",
     .help = "MIN:MAX, the ends of the x axis; one of them may be left out",
     .get = [](const Options& o) { return range_text(o.limits.x_min, o.limits.x_max); },
     .set = [](Options& o, const std::string& t) { set_range(o.limits.x_min, o.limits.x_max, t); }},
    {.id = "y-range",
     .help = "MIN:MAX, the ends of the y axis",
     .get = [](const Options& o) { return range_text(o.limits.y_min, o.limits.y_max); },
     .set = [](Options& o, const std::string& t) { set_range(o.limits.y_min, o.limits.y_max, t); }},
    {.id = "title",
     .help = "Another title",
     .get = [](const Options& o) { return o.title; },
     .set = [](Options& o, const std::string& t) { o.title = t; }},
    {.id = "caption",
     .help = "Lines of text below the figure; \\n begins the next one",
     .get = [](const Options& o) { return joined(split(o.caption, '\n'), "\\n"); },
     .set =
         [](Options& o, const std::string& t) {
           o.caption.clear();
           for (std::size_t k = 0; k < t.size(); ++k) {
             const bool next = t.compare(k, 2, "\\n") == 0;
             o.caption += next ? '\n' : t[k];
             k += next;
           }
         }},
    {.id = "kernels",
     .help = "Only runs of these kernels, in this order, with commas between",
     .get = [](const Options& o) { return joined(o.kernels, ","); },
     .set = [](Options& o, const std::string& t) { o.kernels = split(t, ','); }},
    {.id = "shading",
     .help = "How the pattern shows how many entries there are",
     .words = listed(kShadings),
     .get = [](const Options& o) { return text_of(kShadings, o.pattern.shading, plot::SpyStyle{}.shading); },
     .set = [](Options& o, const std::string& t) { o.pattern.shading = word_of<Shading>(kShadings, t); }},
    {.id = "map",
     .help = "The colours of the pattern",
     .words = listed(kMaps),
     .get = [](const Options& o) { return text_of(kMaps, o.pattern.map, plot::SpyStyle{}.map); },
     .set = [](Options& o, const std::string& t) { o.pattern.map = word_of<Colormap>(kMaps, t); }},
    {.id = "shade",
     .help = "What the pattern shows of a run in the emulator, in place of counts",
     .own = true,
     .get = [](const Options& o) { return o.shade; },
     .set = [](Options& o, const std::string& t) { o.shade = t; }},
    {.id = "part",
     .help = "ROW:ROW:COLUMN:COLUMN, the part of the matrix that is drawn, each counted from 0",
     .get = [](const Options& o) { return o.part ? part_text(*o.part) : ""; },
     .set = [](Options& o, const std::string& t) { o.part = part_of(t); }},
    {.id = "log-x",
     .help = "Logarithmic row length, also where no row dwarfs the others",
     .is_switch = true,
     .get = [](const Options& o) { return yes(o.log_x.value_or(false)); },
     .set = [](Options& o, const std::string&) { o.log_x = true; }},
    {.id = "linear-x",
     .help = "Linear row length, also where one row dwarfs the others",
     .is_switch = true,
     .get = [](const Options& o) { return yes(!o.log_x.value_or(true)); },
     .set = [](Options& o, const std::string&) { o.log_x = false; }},
    {.id = "linear-y",
     .help = "Linear number of rows",
     .is_switch = true,
     .get = [](const Options& o) { return yes(!o.lengths.log_y); },
     .set = [](Options& o, const std::string&) { o.lengths.log_y = false; }},
    {.id = "block-rows",
     .help = "ROWS, how many of the matrix go to one block; a quarter of all unless it is said",
     .get = [](const Options& o) { return o.block_rows ? std::to_string(o.block_rows) : ""; },
     .set =
         [](Options& o, const std::string& t) {
           const auto rows = number_from<index_t>(t);
           if (!rows || *rows < 1) refuse("the number of rows", t, "write a whole number above 0");
           o.block_rows = *rows;
         }},
    {.id = "no-cumulative",
     .help = "Without the cumulative curve",
     .is_switch = true,
     .get = [](const Options& o) { return yes(!o.lengths.cumulative); },
     .set = [](Options& o, const std::string&) { o.lengths.cumulative = false; }},
    {.id = "no-quartiles",
     .help = "Without the quartiles",
     .is_switch = true,
     .get = [](const Options& o) { return yes(!o.lengths.quartiles); },
     .set = [](Options& o, const std::string&) { o.lengths.quartiles = false; }},
    {.id = "cut",
     .help = "LENGTH:NAME, a row length at which a format cuts, such as '6:HYB K'",
     .get = [](const Options& o) { return named_text(o.lengths.cut, o.lengths.cut_label); },
     .set = [](Options& o,
               const std::string& t) { std::tie(o.lengths.cut, o.lengths.cut_label) = named_of("the cut", t); }},
    {.id = "flops",
     .help = "What counts as work: useful (2 per entry) or executed (2 per slot, with padding)",
     .words = listed(kFlops),
     .get = [](const Options& o) { return text_of(kFlops, o.roofline.flops, FlopCount::useful); },
     .set = [](Options& o, const std::string& t) { o.roofline.flops = word_of<FlopCount>(kFlops, t); }},
    {.id = "colour-by",
     .help = "What the colour of a mark means",
     .words = listed(kColours),
     .get = [](const Options& o) { return text_of(kColours, o.roofline.color, plot::RooflineStyle::ColorBy::level); },
     .set = [](Options& o,
               const std::string& t) { o.roofline.color = word_of<plot::RooflineStyle::ColorBy>(kColours, t); }},
    {.id = "selected",
     .help = "RUN, whose marks are larger",
     .get = [](const Options& o) { return o.roofline.selected ? std::to_string(o.roofline.selected) : ""; },
     .set = [](Options& o, const std::string& t) { o.roofline.selected = ids_of(t).front(); }},
    {.id = "compared",
     .help = "RUN,RUN..., the baseline first: arrows from its point to the others'",
     .get = [](const Options& o) { return ids_text(o.roofline.compared); },
     .set = [](Options& o, const std::string& t) { o.roofline.compared = ids_of(t); }},
    {.id = "minimum",
     .help = "INTENSITY:NAME, the flop/byte that no product passes, such as '0.16:ELL minimum'",
     .get =
         [](const Options& o) {
           const auto& m = o.roofline.minimum;
           return m ? named_text(m->intensity, m->label) : "";
         },
     .set =
         [](Options& o, const std::string& t) {
           const auto [intensity, label] = named_of("the minimum", t);
           o.roofline.minimum = plot::RooflineStyle::Minimum{intensity, label};
         }},
    {.id = "no-byte-counts",
     .help = "Without the papers' byte counts of the selected run",
     .is_switch = true,
     .get = [](const Options& o) { return yes(!o.roofline.byte_counts); },
     .set = [](Options& o, const std::string&) { o.roofline.byte_counts = false; }},
    {.id = "roof-precision",
     .help = "The precision of the roofs (default: that of the last run)",
     .words = listed(kPrecisions),
     .get = [](const Options& o) { return o.roof_precision ? std::string(name_of(*o.roof_precision)) : ""; },
     .set = [](Options& o, const std::string& t) { o.roof_precision = word_of<Precision>(kPrecisions, t); }},
    {.id = "measure",
     .help = "What a colour means: gflops, roof (share of the nearest roof), best (time over the best of the matrix), "
             "preparation (in products of the best CSR kernel)",
     .words = listed(kMeasures),
     .get = [](const Options& o) { return text_of(kMeasures, o.measure, plot::GridMeasure::gflops); },
     .set = [](Options& o, const std::string& t) { o.measure = word_of<plot::GridMeasure>(kMeasures, t); }},
    {.id = "by-device",
     .help = "The columns of a device stand together",
     .is_switch = true,
     .get = [](const Options& o) { return yes(o.by_device); },
     .set = [](Options& o, const std::string&) { o.by_device = true; }},
    {.id = "products",
     .help = "For how many products the best is the best: a number, or ever (the default)",
     .get = [](const Options& o) { return o.products == for_ever ? "" : warpspy::word_of(o.products); },
     .set = [](Options& o, const std::string& t) { o.products = products_from_text(t); }},
    {.id = "over",
     .help = "What the line chart is over: a parameter, parts, nnz or rows (default: what was varied most); residuals: "
             "iterations "
             "or time",
     .get = [](const Options& o) { return o.over; },
     .set = [](Options& o, const std::string& t) { o.over = t; }},
    {.id = "format",
     .help = "Storage format to draw",
     .own = true,
     .get = [](const Options& o) { return o.format.format; },
     .set = [](Options& o, const std::string& t) { o.format.format = t; }},
    {.id = "param",
     .help = "NAME=VALUE, a parameter of the format",
     .own = true,
     .repeated = true,
     .get = [](const Options& o) { return params_text(o.format.params); },
     .set = [](Options& o, const std::string& t) { o.format.params = params_of(t); }},
    {.id = "precision",
     .help = "Of the format's values",
     .words = listed(kPrecisions),
     .own = true,
     .get = [](const Options& o) { return said_of_format(o, o.format.precision, Precision::f32); },
     .set = [](Options& o, const std::string& t) { o.format.precision = word_of<Precision>(kPrecisions, t); }},
    {.id = "view",
     .help = "Real numbers of a complex matrix",
     .words = listed(kViews),
     .own = true,
     .get = [](const Options& o) { return said_of_format(o, o.format.view, RealView::real_part); },
     .set = [](Options& o, const std::string& t) { o.format.view = word_of<RealView>(kViews, t); }},
    {.id = "picture",
     .help = "arrays, as the papers print them (small matrices only), or where the padding is",
     .words = listed(kPictures),
     .get = [](const Options& o) { return text_of(kPictures, o.picture, plot::FormatPicture::automatic); },
     .set = [](Options& o, const std::string& t) { o.picture = word_of<plot::FormatPicture>(kPictures, t); }},
    {.id = "x",
     .help = "Parameter on the x axis of the plane",
     .get = [](const Options& o) { return o.plane.x; },
     .set = [](Options& o, const std::string& t) { o.plane.x = t; }},
    {.id = "y",
     .help = "Parameter on the y axis of the plane",
     .get = [](const Options& o) { return o.plane.y; },
     .set = [](Options& o, const std::string& t) { o.plane.y = t; }},
    {.id = "path",
     .help = "Strategy whose path is drawn",
     .get = [](const Options& o) { return o.plane.path; },
     .set = [](Options& o, const std::string& t) { o.plane.path = t; }},
    {.id = "axis",
     .help = "With -o: the warps that share its SM, on an axis of time (modelled)",
     .is_switch = true,
     .get = [](const Options& o) { return yes(o.face == WarpFace::axis); },
     .set = [](Options& o, const std::string&) { o.face = WarpFace::axis; }},
    {.id = "step",
     .help = "Only this step, counted from 0 (a figure counts from 1), with all of its lanes",
     .get = [](const Options& o) { return o.step < 0 ? "" : std::to_string(o.step); },
     .set =
         [](Options& o, const std::string& t) {
           o.step = whole_number<std::int64_t>("the step", t, "count steps from 0");
           if (o.step < 0) refuse("the step", t, "count steps from 0");
         }},
    {.id = "array",
     .help = "With -o: which thread of all warps reads which element of this array, for small matrices",
     .get = [](const Options& o) { return o.array; },
     .set = [](Options& o, const std::string& t) { o.array = t, o.face = WarpFace::access; }},
    {.id = "by-warp",
     .help = "With --array: a row for each warp, not for each iteration",
     .is_switch = true,
     .get = [](const Options& o) { return yes(o.by_warp); },
     .set = [](Options& o, const std::string&) { o.by_warp = true; }},
};

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field& field(const std::string& id) {
  std::string known;
  for (const Field& f : fields()) {
    if (id == f.id) return f;
    known += (known.empty() ? "" : ", ") + std::string(f.id);
  }
  throw Error("figures have no option " + id, {}, "known: " + known);
}

std::span<const char* const> common_fields() {
  static constexpr const char* ids[] = {"x-range", "y-range", "title", "caption"};
  return ids;
}

}  // namespace warpspy::figure
