// Makes an array constant: earlier launches wrote it, and later launches only read it.
#pragma once

#include "kernels/simt/simt.hpp"

namespace warpspy::simt {
inline namespace SIMT_TARGET {

template <class E>
Array<const E> as_const(const Array<E>& a) {
  if constexpr (requires { a.base; })  // the emulator's arrays have a name and a place
    return {a.data, a.size, a.base, a.id, a.role};
  else
    return {a.data, a.size};
}

}  // namespace SIMT_TARGET
}  // namespace warpspy::simt
