#include "core/plot/cairo_canvas.hpp"

#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>

#include "core/base/types.hpp"
#include "core/plot/fonts.hpp"

namespace warpspy::plot {
namespace {

struct Destroy {
  void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
  void operator()(cairo_t* c) const { cairo_destroy(c); }
};
template <class T>
using Handle = std::unique_ptr<T, Destroy>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw Error(std::string("the picture could not be drawn: ") + cairo_status_to_string(status), {},
              "try a smaller size");
}

cairo_status_t append(void* to, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

// Cairo wants premultiplied ARGB in machine order.
std::uint32_t argb_of(std::uint32_t rgba) {
  const std::uint32_t a = rgba >> 24;
  const auto scaled = [&](int shift) { return (((rgba >> shift) & 255) * a + 127) / 255; };
  return a << 24 | scaled(0) << 16 | scaled(8) << 8 | scaled(16);
}

Handle<cairo_surface_t> surface_of(int w, int h, const std::uint32_t* rgba) {
  Handle<cairo_surface_t> surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h));
  check(cairo_surface_status(surface.get()));
  unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < h; ++y) {
    auto* row = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < w; ++x) row[x] = argb_of(rgba[static_cast<std::size_t>(y) * w + x]);
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

}  // namespace

struct CairoCanvas::State {
  std::string bytes;  // PDF: filled as Cairo writes
  bool is_pdf = false;
  double scale = 1;
  Handle<cairo_surface_t> surface;
  Handle<cairo_t> cr;

  void start() {
    check(cairo_surface_status(surface.get()));
    cr.reset(cairo_create(surface.get()));
    check(cairo_status(cr.get()));
    cairo_scale(cr.get(), scale, scale);
    cairo_set_line_join(cr.get(), CAIRO_LINE_JOIN_ROUND);
    // Without hinting, text has the same width at every scale and in every kind of file.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr.get(), options);
    cairo_font_options_destroy(options);
  }
  void color(Color c) { cairo_set_source_rgba(cr.get(), c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0); }
  void font(Font f, double size) const {
    cairo_set_font_face(cr.get(), cairo_face(f));
    cairo_set_font_size(cr.get(), size);
  }
};

CairoCanvas::CairoCanvas(std::unique_ptr<State> state) : state_(std::move(state)) {}
CairoCanvas::CairoCanvas(CairoCanvas&&) noexcept = default;
CairoCanvas& CairoCanvas::operator=(CairoCanvas&&) noexcept = default;
CairoCanvas::~CairoCanvas() = default;

CairoCanvas CairoCanvas::raster(double width, double height, double scale) {
  auto s = std::make_unique<State>();
  s->scale = scale;
  const int w = static_cast<int>(std::lround(width * scale)), h = static_cast<int>(std::lround(height * scale));
  s->surface.reset(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h));
  s->start();
  return CairoCanvas(std::move(s));
}

CairoCanvas CairoCanvas::pdf(double width, double height, const std::string& title, const FileNotes& notes) {
  auto s = std::make_unique<State>();
  s->is_pdf = true;
  s->scale = 0.75;
  s->surface.reset(cairo_pdf_surface_create_for_stream(append, &s->bytes, width * s->scale, height * s->scale));
  check(cairo_surface_status(s->surface.get()));
  // Later PDF versions compress the metadata, so that a search in the file's bytes would not find it.
  cairo_pdf_surface_restrict_to_version(s->surface.get(), CAIRO_PDF_VERSION_1_4);
  if (!notes.facts.empty())
    cairo_pdf_surface_set_metadata(s->surface.get(), CAIRO_PDF_METADATA_SUBJECT, notes.facts.c_str());
  if (!notes.recipe.empty())
    cairo_pdf_surface_set_metadata(s->surface.get(), CAIRO_PDF_METADATA_KEYWORDS, notes.recipe.c_str());
  cairo_pdf_surface_set_metadata(s->surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_pdf_surface_set_metadata(s->surface.get(), CAIRO_PDF_METADATA_CREATOR, "Warpspy");
  // No date is written, so the same figure always gives the same file.
  cairo_pdf_surface_set_metadata(s->surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  s->start();
  return CairoCanvas(std::move(s));
}

void CairoCanvas::fill_rect(Rect r, Color c) {
  state_->color(c);
  cairo_rectangle(state_->cr.get(), r.x, r.y, r.w, r.h);
  cairo_fill(state_->cr.get());
}

void CairoCanvas::stroke_rect(Rect r, Color c, double width) {
  state_->color(c);
  cairo_set_line_width(state_->cr.get(), width);
  cairo_rectangle(state_->cr.get(), r.x, r.y, r.w, r.h);
  cairo_stroke(state_->cr.get());
}

void CairoCanvas::polyline(std::span<const Point> points, Color c, double width, std::span<const double> dashes) {
  if (points.size() < 2) return;
  cairo_t* cr = state_->cr.get();
  state_->color(c);
  cairo_set_line_width(cr, width);
  cairo_set_dash(cr, dashes.data(), static_cast<int>(dashes.size()), 0);
  cairo_move_to(cr, points[0].x, points[0].y);
  for (Point p : points.subspan(1)) cairo_line_to(cr, p.x, p.y);
  cairo_stroke(cr);
  cairo_set_dash(cr, nullptr, 0, 0);
}

void CairoCanvas::fill_polygon(std::span<const Point> points, Color c) {
  if (points.size() < 3) return;
  cairo_t* cr = state_->cr.get();
  state_->color(c);
  cairo_move_to(cr, points[0].x, points[0].y);
  for (Point p : points.subspan(1)) cairo_line_to(cr, p.x, p.y);
  cairo_close_path(cr);
  cairo_fill(cr);
}

void CairoCanvas::fill_circle(Point centre, double radius, Color c) {
  state_->color(c);
  cairo_new_path(state_->cr.get());
  cairo_arc(state_->cr.get(), centre.x, centre.y, radius, 0, 2 * M_PI);
  cairo_fill(state_->cr.get());
}

void CairoCanvas::stroke_circle(Point centre, double radius, Color c, double width) {
  state_->color(c);
  cairo_set_line_width(state_->cr.get(), width);
  cairo_new_path(state_->cr.get());
  cairo_arc(state_->cr.get(), centre.x, centre.y, radius, 0, 2 * M_PI);
  cairo_close_path(state_->cr.get());
  cairo_stroke(state_->cr.get());
}

void CairoCanvas::text(Point p, std::string_view s, double size, Color c, Align align, Font font, bool vertical) {
  turned_text(p, s, size, c, vertical ? M_PI / 2 : 0, align, font);
}

void CairoCanvas::turned_text(Point p, std::string_view s, double size, Color c, double radians, Align align,
                              Font font) {
  if (s.empty()) return;
  cairo_t* cr = state_->cr.get();
  const double width = align == Align::left ? 0 : text_width(s, size, font);
  cairo_save(cr);
  state_->font(font, size);
  state_->color(c);
  cairo_translate(cr, p.x, p.y);
  if (radians != 0) cairo_rotate(cr, -radians);
  cairo_move_to(cr, align == Align::center ? -width / 2 : -width, 0);
  cairo_show_text(cr, std::string(s).c_str());
  cairo_restore(cr);
  cairo_new_path(cr);
}

double CairoCanvas::text_width(std::string_view s, double size, Font font) const {
  state_->font(font, size);
  cairo_text_extents_t extents;
  cairo_text_extents(state_->cr.get(), std::string(s).c_str(), &extents);
  return extents.x_advance;
}

namespace {

// Repeats each pixel `across` times to the right and `down` times downwards.
Enlarged repeated(int width, int height, int across, int down, std::span<const std::uint32_t> rgba) {
  Enlarged e{width * across, height * down, {}};
  e.rgba.reserve(static_cast<std::size_t>(e.width) * e.height);
  for (int y = 0; y < e.height; ++y)
    for (int x = 0; x < e.width; ++x)
      e.rgba.push_back(rgba[static_cast<std::size_t>(y / down) * width + static_cast<std::size_t>(x / across)]);
  return e;
}

}  // namespace

void CairoCanvas::image(Rect r, int w, int h, std::span<const std::uint32_t> rgba) {
  if (w < 1 || h < 1 || r.w <= 0 || r.h <= 0) return;
  // Enlarged pixels stay sharp. If several fall on one device pixel they are averaged, so none is lost. A picture that
  // shrinks along only one side is first enlarged along the other, since averaging would blur it.
  const double wide = r.w * state_->scale, high = r.h * state_->scale;
  // The part far outside the page is not enlarged.
  const auto times = [](double to, int from) {
    constexpr double largest = 8192;
    return static_cast<int>(std::max(1.0, std::ceil(std::min(to, largest) / from)));
  };
  const bool shrinks = !state_->is_pdf && (wide < w || high < h);
  Enlarged big;
  if (state_->is_pdf)
    big = enlarged(w, h, rgba);
  else if (shrinks)
    big = repeated(w, h, times(wide, w), times(high, h), rgba);
  if (!big.rgba.empty()) w = big.width, h = big.height, rgba = big.rgba;
  cairo_t* cr = state_->cr.get();
  const auto surface = surface_of(w, h, rgba.data());
  cairo_save(cr);
  cairo_rectangle(cr, r.x, r.y, r.w, r.h);
  cairo_clip(cr);
  cairo_translate(cr, r.x, r.y);
  cairo_scale(cr, r.w / w, r.h / h);
  cairo_set_source_surface(cr, surface.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cr), shrinks ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
  cairo_paint(cr);
  cairo_restore(cr);
}

void CairoCanvas::push_clip(Rect r) {
  cairo_save(state_->cr.get());
  cairo_rectangle(state_->cr.get(), r.x, r.y, r.w, r.h);
  cairo_clip(state_->cr.get());
}

void CairoCanvas::pop_clip() { cairo_restore(state_->cr.get()); }

std::string CairoCanvas::finish() {
  check(cairo_status(state_->cr.get()));
  if (state_->is_pdf) {
    cairo_show_page(state_->cr.get());
    cairo_surface_finish(state_->surface.get());
    check(cairo_surface_status(state_->surface.get()));
    return std::move(state_->bytes);
  }
  std::string bytes;
  cairo_surface_flush(state_->surface.get());
  check(cairo_surface_write_to_png_stream(state_->surface.get(), append, &bytes));
  return bytes;
}

int CairoCanvas::pixel_width() const { return cairo_image_surface_get_width(state_->surface.get()); }
int CairoCanvas::pixel_height() const { return cairo_image_surface_get_height(state_->surface.get()); }

std::vector<std::uint32_t> CairoCanvas::pixels() const {
  cairo_surface_flush(state_->surface.get());
  const int w = pixel_width(), h = pixel_height(), stride = cairo_image_surface_get_stride(state_->surface.get());
  const unsigned char* data = cairo_image_surface_get_data(state_->surface.get());
  std::vector<std::uint32_t> result;
  result.reserve(static_cast<std::size_t>(w) * h);
  for (int y = 0; y < h; ++y) {
    const auto* row = reinterpret_cast<const std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
    for (int x = 0; x < w; ++x) {
      const std::uint32_t v = row[x];
      result.push_back((v & 0xFF00FF00) | ((v >> 16) & 255) | ((v & 255) << 16));
    }
  }
  return result;
}

Enlarged enlarged(int width, int height, std::span<const std::uint32_t> rgba) {
  const int factor = std::clamp(1600 / std::max({width, height, 1}), 1, 16);
  return repeated(width, height, factor, factor, rgba);
}

std::string encode_png(int width, int height, const std::uint32_t* rgba) {
  if (width < 1 || height < 1) throw Error("a picture needs at least one pixel a side");
  const auto surface = surface_of(width, height, rgba);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace warpspy::plot
