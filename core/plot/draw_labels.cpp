// Text in the data area: notes, and labels of lines. No text covers another text or a mark.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/plot/frame.hpp"
#include "core/plot/glyphs.hpp"
#include "core/plot/label_places.hpp"
#include "core/plot/scale.hpp"
#include "core/plot/theme.hpp"

namespace warpspy::plot {
namespace {

// The order in which labels are placed. First the context, in the given order; then the runs' labels from top to
// bottom. So labels that must move keep the order of their lines.
std::vector<std::size_t> label_order(const Frame& f) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < f.plot.series.size(); ++k) {
    const Series& s = f.plot.series[k];
    if (s.label.empty() || s.kind == Series::Kind::vline) continue;
    const bool level =
        s.kind == Series::Kind::line && points_of(s) > 0 && s.y.front() == s.y[points_of(s) - 1] && s.faint;
    order.emplace_back(level ? f.pixel(s, s.x[0], s.y[0]).y : -1e9, k);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> result;
  for (const auto& o : order) result.push_back(o.second);
  return result;
}

class Words {
 public:
  explicit Words(Frame& f) : f_(f), placer_(f.out.area) {
    obstacles();
    f_.words.clear();
  }

  void notes() {
    if (!f_.tick_labels) return;
    find_upright_notes();
    for (std::size_t k = 0; k < f_.plot.notes.size(); ++k) note(k);
  }

  void labels() {
    // Labels of arrows come first, since arrows are the figure's subject. No other text crosses them.
    for (const Arrow& arrow : f_.plot.arrows)
      if (const auto shaft = shaft_of(f_, arrow))
        placer_.add_line(box_of_segment(shaft->first, shaft->second, 4 * f_.unit));
    for (std::size_t k = 0; k < f_.plot.arrows.size(); ++k) arrow_label(k);
    for (std::size_t k : label_order(f_)) series_label(k);
    // Letters are assigned in the order in which their texts are drawn.
    f_.lettered.insert(f_.lettered.end(), in_need_.begin(), in_need_.end());
    std::sort(f_.lettered.begin(), f_.lettered.end());
  }

 private:
  void obstacles() {
    for (const Hit& hit : f_.out.marks) {
      const double r = line_width(f_, f_.plot.series[hit.series]) * 1.2;
      placer_.add_mark({hit.at, r, r, 0});
    }
    own_.resize(f_.plot.series.size());
    const Rect& area = f_.out.area;
    for (std::size_t k = 0; k < f_.plot.series.size(); ++k) {
      const Series& s = f_.plot.series[k];
      own_[k].first = placer_.lines();
      if (s.kind == Series::Kind::line)
        for (const auto& run : runs_of(f_, s))
          for (std::size_t i = 0; i + 1 < run.size(); ++i) {
            Point a = run[i], b = run[i + 1];
            if (clip_segment(area, a, b)) placer_.add_line(box_of_segment(a, b, line_width(f_, s)));
          }
      if (s.kind == Series::Kind::vline && !s.x.empty()) {
        const double x = pixel_x(f_.out.x, area, s.x[0]);
        if (std::isfinite(x)) placer_.add_line(box_of_segment({x, area.y}, {x, area.bottom()}, line_width(f_, s)));
      }
      own_[k].second = placer_.lines();
    }
  }

  // The letter that replaces a text; "" if the text itself is drawn.
  std::string letter(const WordOf& word) const {
    const auto at = std::find(f_.lettered.begin(), f_.lettered.end(), word);
    return at == f_.lettered.end() ? "" : letter_of(static_cast<std::size_t>(at - f_.lettered.begin()));
  }

  // Places a text, or on a page its letter. `places` gets the width of what is placed. `around`: a letter may be
  // further from its point.
  template <class Places>
  void place(const WordOf& word, Font font, const Places& places, std::optional<Point> around,
             std::pair<std::size_t, std::size_t> own = {}) {
    const std::string instead = letter(word);
    const bool lettered = !instead.empty();
    const std::string text = lettered ? instead : words_of(f_, word);
    if (lettered) font = Font::bold;
    const double width = f_.canvas.text_width(text, f_.ts, font);
    std::vector<Candidate> candidates = places(width);
    if (lettered && around)
      for (const Candidate& c : places_around(*around, width, f_.ts)) candidates.push_back(c);
    std::vector<Box> boxes;
    for (const Candidate& c : candidates) boxes.push_back(c.box);
    auto best = placer_.place(boxes, own.first, own.second);
    // A letter that crosses a line is better than none.
    if (!best && lettered) best = placer_.place(boxes, 0, placer_.lines());
    if (best) return write(text, candidates[*best], color_of(f_, word), font);
    if (!f_.parts.page || candidates.empty()) return;
    if (lettered)
      ++f_.out.left_out;
    else
      in_need_.push_back(word);
  }

  void write(const std::string& text, const Candidate& c, Color color, Font font) {
    f_.words.push_back(
        {text, c.baseline, readable(color, f_.theme), c.align, font, c.radians, c.led, c.leader_from, c.leader_to});
  }

  struct FixedNote {
    std::string text;
    Point at;  // its middle
    double half = 0;
  };
  FixedNote fixed(const Note& note) {
    const Rect& area = f_.out.area;
    FixedNote n;
    n.text = cut(f_, note.text, f_.ts, Font::ui, area.w);
    n.half = f_.canvas.text_width(n.text, f_.ts) / 2;
    const Point p = f_.out.to_pixel(note.x, note.y);
    // A note on one side also keeps a distance from the axis.
    const double off = note.align == Align::center ? 0 : 0.5 * f_.ts;
    const double lo = area.x + off + n.half, hi = std::max(lo, area.right() - off - n.half);
    const double beside = n.half + 0.35 * f_.ts;
    const double x = note.align == Align::left ? p.x + beside : note.align == Align::right ? p.x - beside : p.x;
    n.at = {std::clamp(x, lo, hi), f_.parts.page ? clear_of_bars(note, p.y) : p.y};
    return n;
  }

  // The number above a bar must not touch it, even on a very flat page.
  double clear_of_bars(const Note& note, double y) const {
    const double apart = 0.8 * f_.ts;
    for (const Series& s : f_.plot.series)
      for (std::size_t k = 0; s.kind == Series::Kind::bars && k + 1 < s.x.size() && k < s.y.size(); ++k) {
        if (note.x < s.x[k] || note.x > s.x[k + 1]) continue;
        const double top = pixel_y(f_.y_axis(s), f_.out.area, s.y[k]);
        if (y <= top && top - y < apart) return top - apart;
      }
    return y;
  }

  // On a page, numbers that would touch are turned upright.
  void find_upright_notes() {
    if (!f_.parts.page || f_.upright_notes) return;
    std::vector<Box> boxes;
    for (const Note& note : f_.plot.notes) {
      if (note.gives_way) continue;
      const FixedNote n = fixed(note);
      boxes.push_back({n.at, n.half + 0.1 * f_.ts, 0.5 * f_.ts, 0});
    }
    for (std::size_t a = 0; a < boxes.size(); ++a)
      for (std::size_t b = a + 1; b < boxes.size(); ++b)
        if (finite(boxes[a].centre) && finite(boxes[b].centre) && overlap(boxes[a], boxes[b])) {
          f_.upright_notes = true;
          return;
        }
  }

  // Notes do not move. Those that may give way are left out, or become letters.
  void note(std::size_t k) {
    const Note& note = f_.plot.notes[k];
    const Point p = f_.out.to_pixel(note.x, note.y);
    if (!finite(p)) return;
    if (note.gives_way) {
      if (!f_.out.area.contains(p)) return;
      if (!f_.parts.page) return given_way(note);
      const auto places = [&](double width) {
        const double side = note.align == Align::left ? 1 : note.align == Align::right ? -1 : 0;
        return std::vector<Candidate>{level_at({p.x + side * (width / 2 + 0.35 * f_.ts), p.y}, width, f_.ts)};
      };
      return place({WordOf::Kind::note, k}, Font::ui, places, p, {0, placer_.lines()});
    }
    const FixedNote n = fixed(note);
    const Color color = readable(note.color, f_.theme);
    if (!f_.upright_notes) {
      placer_.add_mark({n.at, n.half, 0.5 * f_.ts, 0});
      f_.words.push_back({n.text, {n.at.x, n.at.y + 0.36 * f_.ts}, color});
      return;
    }
    // Ends where level text would end, and may leave the area slightly.
    const Point middle{p.x, std::max(n.at.y + 0.5 * f_.ts - n.half, f_.out.area.y + n.half - 0.35 * f_.ts)};
    placer_.add_mark({middle, 0.5 * f_.ts, n.half, 0});
    f_.words.push_back(
        {n.text, {middle.x + 0.36 * f_.ts, middle.y}, color, Align::center, Font::ui, std::numbers::pi / 2});
  }

  void given_way(const Note& note) {
    const FixedNote n = fixed(note);
    if (!placer_.place({Box{n.at, n.half, 0.5 * f_.ts, 0}}, 0, placer_.lines())) return;
    f_.words.push_back({n.text, {n.at.x, n.at.y + 0.36 * f_.ts}, readable(note.color, f_.theme)});
  }

  void arrow_label(std::size_t k) {
    const Arrow& arrow = f_.plot.arrows[k];
    // If two points are too close for an arrow, the label still says how the value changed.
    const auto shaft = shaft_of(f_, arrow);
    const Point from = shaft ? shaft->first : f_.out.to_pixel(arrow.x0, arrow.y0);
    const Point to = shaft ? shaft->second : f_.out.to_pixel(arrow.x1, arrow.y1);
    if (arrow.label.empty() || !finite(from) || !finite(to)) return;
    place(
        {WordOf::Kind::arrow, k}, Font::bold, [&](double width) { return arrow_label_places(from, to, width, f_.ts); },
        Point{(from.x + to.x) / 2, (from.y + to.y) / 2});
  }

  void series_label(std::size_t k) {
    const Series& s = f_.plot.series[k];
    const auto places = [&](double width) {
      if (s.kind != Series::Kind::hline || s.y.empty()) return line_label_places(f_, s, width);
      std::vector<Candidate> result;
      const double y = pixel_y(f_.y_axis(s), f_.out.area, s.y[0]);
      for (double side : {-0.85, 0.85}) {
        result.push_back(level_at({f_.out.area.right() - width / 2 - 0.3 * f_.ts, y + side * f_.ts}, width, f_.ts));
        result.push_back(level_at({f_.out.area.x + width / 2 + 0.5 * f_.ts, y + side * f_.ts}, width, f_.ts));
      }
      return result;
    };
    place({WordOf::Kind::series, k}, Font::ui, places, anchor_of(f_, s), own_[k]);
  }

  Frame& f_;
  LabelPlacer placer_;
  std::vector<std::pair<std::size_t, std::size_t>> own_;  // for each series, its range among the lines to avoid
  std::vector<WordOf> in_need_;
};

}  // namespace

std::string words_of(const Frame& f, const WordOf& word) {
  switch (word.kind) {
    case WordOf::Kind::note:
      return f.plot.notes[word.index].text;
    case WordOf::Kind::arrow:
      return f.plot.arrows[word.index].label;
    case WordOf::Kind::series:
      break;
  }
  return f.plot.series[word.index].label;
}

Color color_of(const Frame& f, const WordOf& word) {
  switch (word.kind) {
    case WordOf::Kind::note:
      return f.plot.notes[word.index].color;
    case WordOf::Kind::arrow:
      return f.plot.arrows[word.index].color;
    case WordOf::Kind::series:
      break;
  }
  return f.plot.series[word.index].color;
}

void place_words(Frame& f) {
  Words words(f);
  words.notes();
  if (f.line_labels) words.labels();
}

void draw_words(Frame& f) {
  for (const PlacedWord& w : f.words) {
    if (w.led) f.canvas.line(w.leader_from, w.leader_to, f.theme.hairline, 0.8 * f.unit);
    if (w.radians == 0)
      f.canvas.text(w.baseline, w.text, f.ts, w.color, w.align, w.font);
    else
      f.canvas.turned_text(w.baseline, w.text, f.ts, w.color, w.radians, w.align, w.font);
  }
}

}  // namespace warpspy::plot
