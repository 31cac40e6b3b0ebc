// Which runs the roofline shows, and how.
#include <iterator>

#include "ui/commands/choices.hpp"
#include "ui/state/choice_rows.hpp"

namespace warpspy::ui {

namespace {

using Runs = RooflineSettings::Runs;
using ColorBy = plot::RooflineStyle::ColorBy;

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
  const Chosen<Runs> runs = {
      .menu = "Run",
      .now = [](const AppState& s) { return s.roofline_settings.runs; },
      .set = [](const AppState&, const Runs& to, ActionSink& out) { out(choose("roofline shows", to)); }};
  add_choices(
      all, runs,
      {{"roofline.of_matrix", "Roofline: runs of this matrix", "Runs of the matrix that is shown.", Runs::of_matrix},
       {"roofline.selected", "Roofline: the selected runs",
        "The selected or compared ones, and those of every matrix chosen in the table of matrices.", Runs::selected},
       {"roofline.all", "Roofline: runs of all matrices", "All of this session, on the device shown.", Runs::all}});
  const Chosen<ColorBy> color = {
      .menu = "Run",
      .now = [](const AppState& s) { return s.roofline_settings.color; },
      .set = [](const AppState&, const ColorBy& to, ActionSink& out) { out(choose("roofline colours", to)); }};
  add_choices(all, color,
              {{"roofline.by_level", "Roofline: colour by level", "A mark for each memory level.", ColorBy::level},
               {"roofline.by_matrix", "Roofline: colour by matrix", "One mark for each run.", ColorBy::matrix},
               {"roofline.by_kernel", "Roofline: colour by kernel", "One mark for each run.", ColorBy::kernel},
               {"roofline.by_device", "Roofline: colour by device", "One mark for each run.", ColorBy::device}});
}

}  // namespace warpspy::ui
