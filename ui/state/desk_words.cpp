#include "ui/state/desk_words.hpp"

#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

namespace warpspy::ui {

namespace {

constexpr const char* kViews[] = {"step", "source", "axis"};
constexpr const char* kStrides[] = {"access", "line", "iteration", "barrier"};

template <class Enum, std::size_t n>
void read_word(std::istream& in, const char* const (&names)[n], Enum& to) {
  std::string word;
  in >> word;
  for (std::size_t k = 0; k < n; ++k)
    if (word == names[k]) to = static_cast<Enum>(k);
}

// A number that is at least 0; 0 if there is none.
template <class T>
T read_whole(std::istream& in) {
  std::int64_t v = 0;
  if (in >> v) return v < 0 ? T{0} : static_cast<T>(v);
  in.clear();
  return T{0};
}

void read_measure(std::istream& in, WarpMeasure& to) {
  constexpr WarpMeasure all[] = {WarpMeasure::sectors, WarpMeasure::idle, WarpMeasure::time};
  std::string word;
  in >> word;
  for (const WarpMeasure m : all)
    if (word == name_of(m)) to = m;
}

}  // namespace

std::string to_text(const std::optional<plot::RooflineStyle::View>& view) {
  if (!view) return "";
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(std::numeric_limits<double>::max_digits10);
  out << view->x0 << " " << view->x1 << " " << view->y0 << " " << view->y1;
  return out.str();
}

std::optional<plot::RooflineStyle::View> roof_view_of(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  plot::RooflineStyle::View v;
  if (!(in >> v.x0 >> v.x1 >> v.y0 >> v.y1)) return std::nullopt;
  const bool whole = v.x0 > 0 && v.x1 > v.x0 && v.y0 > 0 && v.y1 > v.y0 && std::isfinite(v.x1) && std::isfinite(v.y1);
  return whole ? std::optional(v) : std::nullopt;
}

std::string to_text(const plot::HistogramStyle& h) {
  return std::string("chosen") + (h.log_x ? " log_x" : "") + (h.log_y ? " log_y" : "") +
         (h.cumulative ? " cumulative" : "") + (h.quartiles ? " quartiles" : "");
}

std::string to_text(const WarpShown& w) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  const WarpWanted& wanted = w.wanted;
  switch (wanted.by) {
    case WarpWanted::By::row:
      out << "row " << wanted.row;
      break;
    case WarpWanted::By::entry:
      out << "entry " << wanted.row << " " << wanted.column;
      break;
    case WarpWanted::By::place:
      out << "place " << wanted.place.launch << " " << wanted.place.block << " " << wanted.place.warp;
      break;
    case WarpWanted::By::worst:
      out << "worst " << name_of(wanted.measure);
      break;
    case WarpWanted::By::median:
      out << "median " << name_of(wanted.measure);
      break;
  }
  out << " step " << w.step << " stride " << kStrides[static_cast<int>(w.stride)] << " view "
      << kViews[static_cast<int>(w.view)];
  if (!w.beside.empty()) out << " beside " << w.beside;
  if (wanted.alone) out << " alone";
  return out.str();
}

WarpDesk warp_desk_of(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  WarpDesk desk;
  ShowWarp show;
  bool named = false;
  const auto by = [&](WarpWanted::By what) { show.wanted.by = what, named = true; };
  for (std::string word; in >> word;) {
    if (word == "row" || word == "entry") show.wanted.row = read_whole<index_t>(in);
    if (word == "row") by(WarpWanted::By::row);
    if (word == "entry") by(WarpWanted::By::entry), show.wanted.column = read_whole<index_t>(in);
    if (word == "place") {
      by(WarpWanted::By::place);
      show.wanted.place.launch = read_whole<int>(in);
      show.wanted.place.block = read_whole<std::int64_t>(in);
      show.wanted.place.warp = read_whole<int>(in);
    }
    if (word == "worst" || word == "median") read_measure(in, show.wanted.measure);
    if (word == "worst") by(WarpWanted::By::worst);
    if (word == "median") by(WarpWanted::By::median);
    if (word == "step") show.step = read_whole<std::size_t>(in);
    if (word == "stride") read_word(in, kStrides, desk.stride);
    if (word == "view") read_word(in, kViews, desk.view);
    if (word == "beside") in >> show.beside;
    if (word == "alone") show.wanted.alone = true;
  }
  if (named) desk.show = show;
  return desk;
}

}  // namespace warpspy::ui
