#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/run/run_name.hpp"
#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/parts.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/parts_table.hpp"
#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

constexpr std::uint64_t kUsualParts = 4;  // GPUs of the run that the empty tab offers

// A product or a solve over several GPUs: what limits it, its parts, what each GPU does when, and how much faster more
// GPUs are.
class PartsTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    const auto run = told_parts(s);
    if (!run) return none(s, ui);
    heading(l, run->solve ? "A solve over several GPUs" : "A product over several GPUs",
            "The rows of the matrix are divided among GPUs. Each has the x of its own columns. x of other GPUs that it "
            "needs is its halo. The halo travels while the local product runs.");
    gap(l, 4);
    told(s, l, *run);
    gap(l, 8);
    parts_table(*run, ui);
    gap(l, 10);
    figures(s, ui);
  }

 private:
  static void none(const AppState& s, Ui& ui) {
    if (waits_for_matrix(ui, s.current())) return;
    const std::string why = why_no_parts(s).empty() ? why_not_divided(s) : why_no_parts(s);
    const bool can = s.can_run() && why.empty();
    const std::uint64_t parts = s.knobs.parts > 1 ? s.knobs.parts : kUsualParts;
    const std::string text =
        "The rows of a matrix can be divided among several GPUs. The parts, what each GPU does when, and how "
        "much faster more GPUs are will be shown here.";
    if (!empty_state(ui.look, "No run over several GPUs yet", why.empty() ? text : text + "\n" + why,
                     can ? "Run over " + std::to_string(parts) + " GPUs" : std::string()))
      return;
    ui.out(choose("parts", parts));
    ui.out(StartRun{});
  }

  static double detail(const RunRecord& r, const char* id) {
    const Quantity* q = r.detail(id);
    return q ? q->value : 0;
  }

  // Only simulated GPUs have a link whose numbers are known.
  static std::string link_of(const RunRecord& r) {
    if (!r.detail("link_bandwidth")) return "";
    return "Link: " + real_text(detail(r, "link_bandwidth"), 3) + " GB/s each way, " +
           real_text(detail(r, "link_latency"), 3) + " \xC2\xB5s per message.";
  }

  // Its time and speed-up, the imbalance and the link, and what limits it.
  static void told(const AppState& s, const Look& l, const RunRecord& r) {
    const Palette& p = *l.palette;
    const std::string gpus = std::to_string(r.parts.size()) + (r.parts.size() == 1 ? " GPU" : " GPUs");
    std::string text = "#" + run_title(r) + " " + r.kernel_label + " on " + r.matrix_name + " over " + gpus +
                       ", divided by " + warpspy::name_of(r.request.split) + ": " + real_text(r.time.value, 4) +
                       " \xC2\xB5s " + (r.solve ? "for an iteration " : "") + "(" +
                       warpspy::name_of(r.time.provenance) + ")";
    if (const auto times = s.parts.speed_ups.of(r))
      text += ". Speed-up " + real_text(*times, 3) + ", parallel efficiency " +
              percent_text(*times / static_cast<double>(r.parts.size()));
    paragraph(l, p.ink, text + ".");
    const auto messages = static_cast<index_t>(detail(r, "halo_messages"));
    paragraph(l, p.muted,
              "Imbalance " + real_text(detail(r, "parts_imbalance"), 3) +
                  ": the most entries of a GPU, of their mean. " + "All halos: " + bytes_text(detail(r, "halo_bytes")) +
                  " in " + count_text(messages) + (messages == 1 ? " message. " : " messages. ") + link_of(r));
    for (const Finding& f : r.findings) {
      gap(l, 4);
      {
        const FontScope font(*l.fonts, Face::bold, 14);
        paragraph(l, p.ink, f.limit);
      }
      const FontScope font(*l.fonts, Face::ui, 13);
      paragraph(l, p.muted, f.evidence + " " + f.advice);
    }
  }

  static void figures(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    if (!s.parts.lanes) return;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool beside = s.parts.speed_up && room.x >= l.u(720);
    const auto lanes = static_cast<float>(s.parts.lanes->y.categories.size());
    const float least = std::max(l.u(230), l.u(90) + lanes * l.u(20));
    const float height = std::max(least, room.y);
    const float left = beside ? std::floor(room.x * 0.56f) : room.x;
    const auto drawn = [&](const char* id, const plot::Plot& plot, ImVec2 size) {
      ImGui::BeginGroup();
      heading(l, plot.title, plot.subtitle);
      with_room(id, ImVec2(size.x, size.y - l.u(22)), ImVec2(l.u(300), l.u(180)), [&](ImVec2 part) {
        const auto hit = draw_figure(ui, plot, part, id);
        if (hit && s.run(hit->id)) ui.out(SelectRun{hit->id});
      });
      end_group();
    };
    drawn("parts", *s.parts.lanes, ImVec2(left, height));
    if (beside) ImGui::SameLine(0, l.u(16));
    if (!s.parts.speed_up) {
      caption(l, "Run the same on one GPU to see the speed-up.");
      return;
    }
    if (!beside) gap(l, 10);
    drawn("speedup", *s.parts.speed_up, beside ? ImVec2(room.x - left - l.u(16), height) : ImVec2(left, l.u(260)));
  }
};

}  // namespace

extern const ViewRow parts_tab = {
    .id = "parts",
    .label = "GPUs",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "A product or a solve over several GPUs: the part of each, what it does when, and the speed-up.",
    .scrolls = true,
    .make = make<PartsTab>,
};

}  // namespace warpspy::ui
