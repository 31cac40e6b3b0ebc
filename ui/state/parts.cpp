#include "ui/state/parts.hpp"

namespace warpspy::ui {

std::string why_no_parts(const AppState& s) {
  const KernelInfo* k = s.kernel();
  const DeviceInfo* d = s.device();
  if (!k || !d) return "There is no kernel or no device to run on.";
  if (!d->simulated) return "Several real GPUs are not run yet: choose a simulated one.";
  if (k->operation != Operation::product || k->format.empty())
    return k->label + " computes no A x: only products are divided among GPUs.";
  return "";
}

std::uint64_t parts_asked(const AppState& s) { return why_no_parts(s).empty() ? s.knobs.parts : 1; }

std::string why_not_divided(const AppState& s) {
  const std::uint64_t parts = parts_asked(s);
  if (parts == 1 || !s.has_matrix()) return "";
  const Csr& a = *s.current()->matrix->csr;
  if (parts > static_cast<std::uint64_t>(a.rows()))
    return "This matrix has " + std::to_string(a.rows()) + (a.rows() == 1 ? " row" : " rows") + " for " +
           std::to_string(parts) + " GPUs: choose fewer.";
  if (s.knobs.split == Split::metis && a.rows() != a.cols())
    return "METIS divides square matrices only, and this one has " + std::to_string(a.rows()) + " rows and " +
           std::to_string(a.cols()) + " columns: divide by rows or entries.";
  return "";
}

std::string why_no_run(const AppState& s) {
  if (!s.has_matrix()) return needs_matrix(s);
  const std::string why = s.why_not();
  return why.empty() ? why_not_divided(s) : why;
}

}  // namespace warpspy::ui
