#include "ui/state/panes.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

namespace warpspy::ui {

double cut_of(const Panes& panes, const std::string& name, double otherwise) {
  const auto found = panes.cuts.find(name);
  return found == panes.cuts.end() ? otherwise : found->second;
}

double moved_cut(double share, double by) { return std::clamp(share + by, kLeastCut, 1 - kLeastCut); }

std::string to_text(const Panes& panes) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  if (panes.workspace) out << "workspace ";
  if (panes.controls) out << "controls ";
  out << "left " << panes.left << " right " << panes.right;
  for (const auto& [name, share] : panes.cuts) out << " cut " << name << " " << share;
  if (!panes.beside.empty()) out << " beside " << panes.beside;
  return out.str();
}

Panes panes_of(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  Panes panes;
  panes.workspace = panes.controls = false;
  const auto number = [&](double least, double most, double otherwise) {
    double v = 0;
    if (!(in >> v) || !std::isfinite(v)) {
      in.clear();
      return otherwise;
    }
    return std::clamp(v, least, most);
  };
  for (std::string word; in >> word;) {
    if (word == "workspace") panes.workspace = true;
    if (word == "controls") panes.controls = true;
    if (word == "left") panes.left = number(kLeastPanel, kMostPanel, panes.left);
    if (word == "right") panes.right = number(kLeastPanel, kMostPanel, panes.right);
    if (word == "beside") in >> panes.beside;
    if (word == "cut" && in >> word) panes.cuts[word] = number(kLeastCut, 1 - kLeastCut, 0.5);
  }
  return panes;
}

}  // namespace warpspy::ui
