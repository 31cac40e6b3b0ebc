// The functions behind the table of generators in generate.cpp. Their parameters are complete and in range. Only this
// folder uses them.
#pragma once

#include <span>
#include <string_view>

#include "core/catalog/catalog.hpp"
#include "core/jobs/progress.hpp"
#include "core/matrix/csr.hpp"

namespace warpspy::generate_detail {

using Maker = Csr (*)(const ParamSet&, Progress&);
// For generators that give more than entries: symmetry, warnings, element matrices.
using MatrixMaker = Matrix (*)(const ParamSet&, Progress&);

// stencils.cpp
Csr make_laplace3(const ParamSet&, Progress&);
Csr make_laplace5(const ParamSet&, Progress&);
Csr make_laplace7(const ParamSet&, Progress&);
Csr make_laplace9(const ParamSet&, Progress&);
Csr make_laplace27(const ParamSet&, Progress&);
// scattered.cpp
Csr make_random(const ParamSet&, Progress&);
Csr make_uneven(const ParamSet&, Progress&);
Csr make_powerlaw(const ParamSet&, Progress&);
Csr make_lp(const ParamSet&, Progress&);
// known.cpp: matrices of the papers whose pattern is known exactly.
struct KnownMatrix {
  std::string_view name;
  const char* symmetry;
  Csr (*make)(std::uint64_t seed, Progress&);
};
std::span<const KnownMatrix> known_matrices();
// like.cpp. The parameter "name" is the place in like_names().
std::vector<std::string> like_names();
Matrix make_like(const ParamSet&, Progress&);
// fem.cpp
Matrix make_fem_quad(const ParamSet&, Progress&);
// bratu.cpp
Csr make_bratu(const ParamSet&, Progress&);
// shapes.cpp
Csr make_dense(const ParamSet&, Progress&);
Csr make_band(const ParamSet&, Progress&);
Csr make_diagonal(const ParamSet&, Progress&);
Csr make_arrow(const ParamSet&, Progress&);
Csr make_wheel(const ParamSet&, Progress&);
Csr make_single(const ParamSet&, Progress&);
Csr make_empty(const ParamSet&, Progress&);

// A size or count that checked_params() has bounded to 2^53.
inline index_t whole_number(const ParamSet& p, const char* id) { return static_cast<index_t>(p.at(id)); }

}  // namespace warpspy::generate_detail
