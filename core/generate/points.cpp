#include "core/generate/points.hpp"

#include <string_view>

#include "core/generate/generate.hpp"

namespace warpspy {
namespace {

// Nodes of a grid, numbered along x, then y, then z.
struct GridShape {
  index_t nx = 1, ny = 1, nz = 1;
  bool within(index_t most) const { return nx <= most && ny <= most / nx && nz <= most / (nx * ny); }
};

index_t count_of(const ParamSet& p, const char* id) { return static_cast<index_t>(p.at(id)); }

struct OfGenerator {
  std::string_view generator;
  GridShape (*grid)(const ParamSet& p);
};
GridShape in_line(const ParamSet& p) { return {count_of(p, "nx")}; }
GridShape in_plane(const ParamSet& p) { return {count_of(p, "nx"), count_of(p, "ny")}; }
GridShape in_space(const ParamSet& p) { return {count_of(p, "nx"), count_of(p, "ny"), count_of(p, "nz")}; }
GridShape in_cube(const ParamSet& p) { return {count_of(p, "n"), count_of(p, "n"), count_of(p, "n")}; }
GridShape of_elements(const ParamSet& p) {
  const index_t degree = count_of(p, "degree");
  return {degree * count_of(p, "nx") + 1, degree * count_of(p, "ny") + 1};
}
constexpr OfGenerator kOfGenerators[] = {{"laplace3", in_line},  {"laplace5", in_plane},  {"laplace7", in_space},
                                         {"laplace9", in_plane}, {"laplace27", in_space}, {"fem_quad", of_elements},
                                         {"bratu", in_cube}};

// Nothing if the generator has no grid, or if the grid has more than `most` nodes.
std::optional<GridShape> shape_of(const std::string& spec, index_t most) {
  const GeneratorText text = read_generator(spec);
  const GeneratorInfo& info = generators()[text.generator];
  for (const OfGenerator& row : kOfGenerators) {
    if (row.generator != info.id) continue;
    const GridShape shape = row.grid(checked_params(info.params, text.params));
    return shape.within(most) ? std::optional(shape) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

bool has_mesh_points(const std::string& spec, index_t most) { return shape_of(spec, most).has_value(); }

std::optional<MeshPoints> mesh_points(const std::string& spec, index_t most) {
  const std::optional<GridShape> shape = shape_of(spec, most);
  if (!shape) return std::nullopt;
  // Layers along z are drawn one behind another, shifted diagonally.
  constexpr double slant_x = 0.37, slant_y = 0.43;
  MeshPoints points;
  for (index_t z = 0; z < shape->nz; ++z)
    for (index_t y = 0; y < shape->ny; ++y)
      for (index_t x = 0; x < shape->nx; ++x) {
        points.x.push_back(static_cast<double>(x) + slant_x * static_cast<double>(z));
        points.y.push_back(static_cast<double>(y) + slant_y * static_cast<double>(z));
      }
  return points;
}

}  // namespace warpspy
