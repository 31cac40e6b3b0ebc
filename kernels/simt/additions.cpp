#include "kernels/simt/additions.hpp"

#include <functional>

namespace warpspy::simt {

void Additions::Addition::apply() const {
  if (type == Type::f32)
    *static_cast<float*>(to) += static_cast<float>(value);
  else if (type == Type::f64)
    *static_cast<double*>(to) += value;
  else
    *static_cast<std::int32_t*>(to) += static_cast<std::int32_t>(value);
}

void Additions::apply() {
  if (!dry_)
    for (const Addition& a : list_) a.apply();
  list_.clear();
}

void Additions::apply_to(const void* begin, const void* end) {
  if (dry_) return;
  const std::less<const void*> before;
  std::erase_if(list_, [&](const Addition& a) {
    if (before(a.to, begin) || !before(a.to, end)) return false;
    a.apply();
    return true;
  });
}

}  // namespace warpspy::simt
