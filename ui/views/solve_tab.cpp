#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/numbers.hpp"
#include "ui/platform/compat.hpp"
#include "ui/state/choice_rows.hpp"
#include "ui/state/parts.hpp"
#include "ui/state/solves.hpp"
#include "ui/views/figure_view.hpp"
#include "ui/views/newton_table.hpp"
#include "ui/views/parts_controls.hpp"
#include "ui/views/view.hpp"
#include "ui/views/waiting.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// A solve with the chosen kernel's products: how its residual falls, and what an iteration's time goes to.
class SolveTab final : public View {
 public:
  void draw(const AppState& s, Ui& ui) override {
    const Look& l = ui.look;
    heading(l, "Solve A x = b",
            "By a Krylov method, with the products of the chosen kernel on the chosen device. b is all ones, and the "
            "solve begins at 0.");
    gap(l, 8);
    choices(s, ui);
    gap(l, 10);
    if (s.run_job && s.run_job->status() == JobStatus::running)
      caption(l, "A run is under way: " + s.run_job->progress.stage());
    if (!s.solve.residuals || !s.solve.parts) {
      if (waits_for_matrix(ui, s.current())) return;
      empty_state(l, "Nothing was solved yet",
                  "The residual over iterations or time will be drawn here, and what an iteration's time goes to: the "
                  "product, sums, updates of vectors, and what lies between launches. Several solves are compared.");
      return;
    }
    verdict(s, ui);
    gap(l, 8);
    figures(s, ui);
  }

 private:
  // Words in a row behind a title, on the same line where there is room.
  static int row(const Look& l, const char* title, const char* id, const std::vector<std::string>& words, int chosen,
                 const std::vector<std::string>& helps, float& right) {
    const float need = text_width(l, Face::ui, 13, title) + l.u(8) + segments_width(l, words);
    const float room = ImGui::GetWindowContentRegionMax().x;
    if (right > 0 && right + l.u(20) + need <= room)
      ImGui::SameLine(right + l.u(20));
    else
      right = 0;
    const float begin = ImGui::GetCursorPosX();
    ImGui::BeginGroup();
    const float top = ImGui::GetCursorPosY();
    ImGui::SetCursorPosY(top + l.u(3));  // on the line of the words
    label(l, Face::ui, 13, l.palette->muted, title);
    ImGui::SameLine(0, l.u(8));
    ImGui::SetCursorPosY(top);
    const int picked = segments(l, id, words, chosen, helps);
    end_group();
    right = begin + need;
    return picked;
  }

  static void choices(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    float right = 0;
    std::vector<std::string> words, helps;
    int chosen = 0;
    for (const SolverInfo& info : solvers()) {
      if (info.solver == s.solve.solver) chosen = static_cast<int>(words.size());
      words.emplace_back(info.label);
      helps.push_back(std::string(info.help) + "\n" + info.source);
    }
    if (const int k = row(l, "Method", "method", words, chosen, helps, right); k >= 0)
      ui.out(choose("solver", solvers()[static_cast<std::size_t>(k)].solver));
    words.clear(), helps.clear();
    for (const PreconditionerInfo& info : preconditioners()) {
      if (info.preconditioner == s.solve.preconditioner) chosen = static_cast<int>(words.size());
      words.emplace_back(info.label);
      helps.emplace_back(info.help);
    }
    if (const int k = row(l, "Preconditioner", "preconditioner", words, chosen, helps, right); k >= 0)
      ui.out(choose("preconditioner", preconditioners()[static_cast<std::size_t>(k)].preconditioner));
    if (s.solve.preconditioner == Preconditioner::chebyshev) {
      constexpr std::uint64_t degrees[] = {1, 2, 4, 8, 16};
      words.clear(), chosen = -1;
      for (std::size_t k = 0; k < std::size(degrees); ++k) {
        if (degrees[k] == s.solve.degree) chosen = static_cast<int>(k);
        words.push_back(std::to_string(degrees[k]));
      }
      const std::string of_degree = "Degree of the polynomial: so many products each time it is applied.";
      if (const int k =
              row(l, "Degree", "degree", words, chosen, std::vector<std::string>(words.size(), of_degree), right);
          k >= 0)
        ui.out(choose("degree", degrees[static_cast<std::size_t>(k)]));
    }
    constexpr std::uint64_t digits[] = {4, 6, 8, 10};
    words.clear(), chosen = -1;
    for (std::size_t k = 0; k < std::size(digits); ++k) {
      if (digits[k] == s.solve.digits) chosen = static_cast<int>(k);
      words.push_back("1e-" + std::to_string(digits[k]));
    }
    const std::string of_tolerance = "The solve ends when |r| is at most this share of |b|.";
    if (const int k = row(l, "Tolerance", "tolerance", words, chosen,
                          std::vector<std::string>(words.size(), of_tolerance), right);
        k >= 0)
      ui.out(choose("digits", digits[static_cast<std::size_t>(k)]));
    constexpr std::uint64_t most[] = {100, 1000, 10'000};
    words.clear(), chosen = -1;
    for (std::size_t k = 0; k < std::size(most); ++k) {
      if (most[k] == s.solve.most_iterations) chosen = static_cast<int>(k);
      words.push_back(std::to_string(most[k]));
    }
    if (const int k =
            row(l, "At most", "iterations", words, chosen,
                std::vector<std::string>(words.size(), "Iterations, after which it ends in any case."), right);
        k >= 0)
      ui.out(choose("most iterations", most[static_cast<std::size_t>(k)]));
    if (s.knobs.precision == Precision::f32) {
      const std::string of_refinement = "Iterations in f32 inside steps in f64, which reach what f32 alone cannot.";
      if (const int k = row(l, "Refinement", "refine", {"none", "in f64"}, s.solve.refine ? 1 : 0,
                            {"All in f32.", of_refinement}, right);
          k >= 0)
        ui.out(choose("refine", k == 1));
    }
    over_gpus(s, ui, right);
    gap(l, 8);
    start(s, ui);
  }

  // How many GPUs, and how the rows are divided among them: the same choices as in the run panel.
  static void over_gpus(const AppState& s, Ui& ui, float& right) {
    const Look& l = ui.look;
    if (const std::string why = why_no_parts(s); !why.empty()) {
      row(l, "GPUs", "parts of solve", {"1"}, 0, {why}, right);
      return;
    }
    std::vector<std::uint64_t> numbers = {1, 2, 4, 8, 16};
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), s.knobs.parts);
    const auto chosen = static_cast<int>(at - numbers.begin());
    if (at == numbers.end() || *at != s.knobs.parts) numbers.insert(at, s.knobs.parts);  // set in the run panel
    std::vector<std::string> words;
    for (const std::uint64_t n : numbers) words.push_back(std::to_string(n));
    const std::vector<std::string> helps(words.size(), kOverGpus);
    if (const int k = row(l, "GPUs", "parts of solve", words, chosen, helps, right); k >= 0)
      ui.out(choose("parts", numbers[static_cast<std::size_t>(k)]));
    if (s.knobs.parts == 1) return;
    const auto split = static_cast<int>(s.knobs.split);
    if (const int k = row(l, "Divided by", "split of solve", kSplitWords, split, kSplitHelps, right); k >= 0)
      ui.out(choose("split", static_cast<Split>(k)));
  }

  // The button, on what it solves, and why it cannot.
  static void start(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const KernelInfo* kernel = s.kernel();
    const std::string why = why_no_solve(s), products = kernel ? kernel->label : std::string("the kernel");
    if (button(l, "Solve", Weight::primary, 0, why.empty())) ui.out(StartSolve{});
    tip(l, why.empty() ? "Solves on the chosen device with the products of " + products + ", in " +
                             warpspy::name_of(s.knobs.precision) +
                             ". On a simulated GPU one iteration is modelled, and this machine computes the numbers of "
                             "all."
                       : why);
    ImGui::SameLine();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + l.u(6));
    const std::uint64_t parts = parts_asked(s);
    caption(l, "with " + products + ", " + warpspy::name_of(s.knobs.precision) + ", on " +
                   (parts > 1 ? std::to_string(parts) + " GPUs like " : std::string()) +
                   (s.device() ? s.device()->name : s.knobs.device));
    const FontScope font(*l.fonts, Face::ui, 13);
    if (!why.empty() && s.has_matrix()) {
      paragraph(l, l.palette->error, "\xE2\x9C\x97 " + why);
    } else if (parts != s.knobs.parts) {
      paragraph(l, l.palette->muted,
                "One GPU, and not the chosen " + std::to_string(s.knobs.parts) + ": " + why_no_parts(s));
    }
  }

  // The last solve, or the selected one: how it ended, its times, how near it comes to a copy, and whether its format
  // pays.
  static void verdict(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const auto told = told_solve(s);
    const RunRecord& r = *told;
    const SolveResult& v = *r.solve;
    const bool good = v.end == SolveEnd::converged;
    paragraph(l, good ? l.palette->ink : l.palette->error,
              "#" + run_title(r) + " " + r.kernel_label + ": " + warpspy::name_of(v.end) + ", " + v.why + ".");
    const Quantity* all = r.detail("solve");
    const Quantity* solution = r.detail("solution");
    std::string text = "An iteration takes " + real_text(r.time.value, 3) + " \xC2\xB5s";
    if (all) text += ", all of them " + real_text(all->value * 1e-3, 3) + " ms";
    if (solution) text += ", with preparation " + real_text(solution->value * 1e-3, 3) + " ms";
    text += std::string(" (") + warpspy::name_of(r.time.provenance) + "). True residual " +
            real_text(v.true_residual, 2) + " |b|.";
    paragraph(l, l.palette->muted, text);
    paragraph(l, l.palette->muted, "Bandwidth: " + copy_share_text(r, copy_share_of(s, r)) + ".");
    paragraph(l, l.palette->muted, "Break-even: " + break_even_text(r, s.solve.break_even) + ".");
    if (r.provenance == Provenance::modelled)
      caption(l, "One iteration was modelled; the numbers of all were computed by this machine.");
    if (!r.parts.empty()) of_gpus(r, ui);
    if (!r.newton) return;
    gap(l, 8);
    heading(l, "Newton's method",
            "Each step solves J y = F as above and takes y from u. What stands above is the first step's.");
    paragraph(l, r.newton->end == SolveEnd::converged ? l.palette->ink : l.palette->error,
              std::string(warpspy::name_of(r.newton->end)) + ": " + r.newton->why + ".");
    gap(l, 4);
    newton_table(r, ui);
  }

  // What limits a solve over several GPUs most, and the way to the tab that tells of each of them.
  static void of_gpus(const RunRecord& r, Ui& ui) {
    const Look& l = ui.look;
    std::string text =
        "Over " + std::to_string(r.parts.size()) + " GPUs, divided by " + warpspy::name_of(r.request.split) + ".";
    const auto limit = std::find_if(r.findings.begin(), r.findings.end(),
                                    [](const Finding& f) { return f.rule.starts_with("parts_"); });
    if (limit != r.findings.end()) text += " " + limit->limit;
    paragraph(l, l.palette->muted, text);
    gap(l, 4);
    if (!button(l, "Show each GPU")) return;
    ui.out(SelectRun{r.id});  // the tab tells of the selected run
    ui.out(ShowTab{"parts"});
  }

  static void figures(const AppState& s, Ui& ui) {
    const Look& l = ui.look;
    const int over = segments(l, "over", {"over iterations", "over time"}, s.solve.over_time ? 1 : 0);
    tip(l, "What the residuals are drawn over.");
    if (over >= 0) ui.out(choose("residuals over time", over == 1));
    gap(l, 6);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool side_by_side = room.x >= l.u(760);
    const float height = side_by_side ? std::max(l.u(220), room.y) : std::max(l.u(220), room.y / 2 - l.u(6));
    const float left = side_by_side ? room.x * 0.58f : room.x;
    const auto drawn = [&](const char* id, const plot::Plot& plot, float width) {
      with_room(id, ImVec2(width, height), ImVec2(l.u(320), l.u(200)), [&](ImVec2 size) {
        const auto hit = draw_figure(ui, plot, size, id);
        if (hit && s.run(hit->id)) ui.out(SelectRun{hit->id});
      });
    };
    drawn("residual", *s.solve.residuals, left);
    if (side_by_side) ImGui::SameLine(0, l.u(12));
    drawn("iteration", *s.solve.parts, side_by_side ? room.x - left - l.u(12) : room.x);
  }
};

}  // namespace

extern const ViewRow solve_tab = {
    .id = "solve",
    .label = "Solve",
    .place = Place::tab,
    .group = Topic::performance,
    .help = "CG, BiCGStab and GMRES with the chosen kernel: residuals, and what an iteration's time goes to.",
    .scrolls = true,
    .make = make<SolveTab>,
};

}  // namespace warpspy::ui
