#include "ui/views/engines_panel.hpp"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "core/catalog/host.hpp"
#include "core/run/engine_command.hpp"
#include "ui/platform/compat.hpp"
#include "ui/widgets/controls.hpp"
#include "ui/widgets/focus.hpp"
#include "ui/widgets/text.hpp"

namespace warpspy::ui {

namespace {

// "" if the command is invalid.
std::string engine_host(const std::string& command) {
  try {
    return engine_command(command).host;
  } catch (const Error&) {
    return {};
  }
}

// Why this is no valid command for another engine, in one line; "" if it is valid.
std::string obstacle_to(const AppState& s, const std::string& command) {
  try {
    const std::string host = engine_command(command).host;
    const bool taken = std::any_of(s.engines.begin(), s.engines.end(),
                                   [&](const std::string& other) { return engine_host(other) == host; });
    return taken ? "There is an engine called " + host + " already." : "";
  } catch (const Error& e) {
    return std::string(e.what()) + ".";
  }
}

}  // namespace

void EnginesPanel::draw(const AppState& s, Ui& ui, float height) {
  const Look& l = ui.look;
  ImGui::BeginChild("engines", ImVec2(0, height), false);
  paragraph(l, l.palette->muted,
            "Warpspy on another machine runs kernels for this window: its GPUs stand in the list of devices. It is "
            "started by a command, mostly over ssh, which must not ask for a password. Nothing listens on a port.");
  gap(l, 12);
  for (const std::string& command : s.engines) row(s, ui, command);
  add(s, ui);
  end_child();
}

void EnginesPanel::row(const AppState& s, Ui& ui, const std::string& command) {
  const Look& l = ui.look;
  const Palette& p = *l.palette;
  const std::string host = engine_host(command);
  ImGui::PushID(command.c_str());
  const float right = ImGui::GetContentRegionAvail().x;
  label(l, Face::ui, 13, p.ink, host.empty() ? command : host);
  const bool of_settings =
      std::find(s.settings.engines.begin(), s.settings.engines.end(), command) != s.settings.engines.end();
  if (of_settings) {
    ImGui::SameLine(right - l.u(24));
    if (cross_button(l, "##remove", "Use this engine no more.")) {
      Settings next = s.settings;
      std::erase(next.engines, command);
      ui.out(SetSettings{next});
    }
  }
  label(l, Face::mono, 11, p.muted, fit_text(l, Face::mono, 11, command, right));
  bool told = false;
  for (const DeviceInfo& d : s.catalog->devices) {
    if (host.empty() || host_of(d.id) != host) continue;
    told = true;
    paragraph(l, d.available ? p.ink : p.warning, d.available ? d.name : d.reason);
  }
  if (!told) caption(l, host.empty() ? "This command is not understood." : "Waiting for its answer.");
  gap(l, 14);
  ImGui::PopID();
}

void EnginesPanel::add(const AppState& s, Ui& ui) {
  const Look& l = ui.look;
  bool enter = false;
  {
    const FontScope font(*l.fonts, Face::mono, 13);
    ImGui::SetNextItemWidth(-l.u(84));
    enter = ImGui::InputTextWithHint("##command", "ssh HOST warpspy engine", &command_,
                                     ImGuiInputTextFlags_EnterReturnsTrue);
    text_stop(l, "##command");
  }
  ImGui::SameLine();
  const std::string problem = command_.empty() ? "" : obstacle_to(s, command_);
  const bool good = !command_.empty() && problem.empty();
  if (button(l, "Add", Weight::primary, l.u(76), good) || (enter && good)) {
    Settings next = s.settings;
    next.engines.push_back(command_);
    ui.out(SetSettings{next});
    command_.clear();
  }
  gap(l, 4);
  if (!problem.empty()) caption(l, problem);
}

}  // namespace warpspy::ui
