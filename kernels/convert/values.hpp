// The launches of a conversion that read values. They are what must be done again where values change and indices stay,
// as in Newton's method; all others follow from the indices alone.
#pragma once

#include "kernels/spmv/spmv.hpp"

namespace warpspy::convert {

// Lays out such a launch. A stage that tells it apart has a function of this name.
template <class Stage, class Code>
void launch_of_values(Stage& stage, const LaunchSpec& spec, const Code& code) {
  if constexpr (requires { stage.launch_of_values(spec, code); })
    stage.launch_of_values(spec, code);
  else
    stage.launch(spec, code);
}

}  // namespace warpspy::convert
