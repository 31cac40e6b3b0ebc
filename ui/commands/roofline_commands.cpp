// Which runs the roofline shows, and how.
#include <iterator>

#include "ui/commands/choices.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

const Command of_the_roofline[] = {
    {.id = "roofline.flops",
     .menu = "Run",
     .label = "Count executed flops",
     .help = "The roofline counts 2 flops per stored slot, padding included, instead of 2 per entry.",
     .perform =
         [](const AppState& s, ActionSink& out) {
           out(choose("flops", s.flops == FlopCount::useful ? FlopCount::executed : FlopCount::useful));
         },
     .checked = [](const AppState& s) { return s.flops == FlopCount::executed; }},
    {.id = "roofline.whole",
     .menu = "Run",
     .label = "Roofline: show everything",
     .help = "Zooms out again.",
     .why_not = only_if([](const AppState& s) { return s.roofline_settings.view.has_value(); }, "It is all shown."),
     .perform = [](const AppState&, ActionSink& out) { out(choose("roofline zoom", "")); }},
};

}  // namespace

void add_roofline_commands(std::vector<Command>& all) {
  all.insert(all.end(), std::begin(of_the_roofline), std::end(of_the_roofline));
  add_choices(
      all, {.choice = "roofline shows", .menu = "Run"},
      {{"roofline.of_matrix", "Roofline: runs of this matrix", "Runs of the matrix that is shown.", "this matrix"},
       {"roofline.selected", "Roofline: the selected runs",
        "The selected or compared ones, and those of every matrix chosen in the table of matrices.", "selected"},
       {"roofline.all", "Roofline: runs of all matrices", "All of this session, on the device shown.", "all"}});
  add_choices(all, {.choice = "roofline colours", .menu = "Run"},
              {{"roofline.by_level", "Roofline: colour by level", "A mark for each memory level.", "level"},
               {"roofline.by_matrix", "Roofline: colour by matrix", "One mark for each run.", "matrix"},
               {"roofline.by_kernel", "Roofline: colour by kernel", "One mark for each run.", "kernel"},
               {"roofline.by_device", "Roofline: colour by device", "One mark for each run.", "device"}});
}

}  // namespace warpspy::ui
