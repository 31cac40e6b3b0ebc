// Finite elements for the study of Reguly & Giles 2012, section 8: Poisson's equation on a rectangle of quadrilaterals,
// with Lagrange polynomials of degree 1 to 4 in each direction. It gives the element matrices and the matrix assembled
// from them.
#include <array>

#include "core/generate/build.hpp"
#include "core/generate/makers.hpp"

namespace warpspy::generate_detail {
namespace {

constexpr int kMostNodes = 5;  // nodes in one direction at degree 4

// In one direction the nodes are at s = 0, 1, ..., degree. Coefficients in s, lowest power first. They are whole
// numbers, so integrals are exact until one last division. Sums of monomials in floating point would lose five digits
// at degree 4.
using Polynomial = std::array<std::int64_t, kMostNodes>;

// The Lagrange polynomial of a node: numerator / denominator.
struct Lagrange {
  Polynomial numerator{1};
  std::int64_t denominator = 1;

  Lagrange(int degree, int a) {
    for (int root = 0; root <= degree; ++root) {
      if (root == a) continue;
      for (int k = degree; k >= 0; --k) numerator[k] = (k > 0 ? numerator[k - 1] : 0) - root * numerator[k];
      denominator *= a - root;
    }
  }
};

Polynomial derivative(const Polynomial& p) {
  Polynomial d{};
  for (int k = 1; k < kMostNodes; ++k) d[k - 1] = k * p[k];
  return d;
}

constexpr std::int64_t kCommon = 2520;  // a multiple of 1, 2, ..., 9

// The integral of p q over 0 <= s <= degree, times kCommon.
std::int64_t integral(const Polynomial& p, const Polynomial& q, int degree) {
  std::int64_t sum = 0;
  for (int k = 0; k < kMostNodes; ++k)
    for (int l = 0; l < kMostNodes; ++l) {
      std::int64_t power = degree;
      for (int n = 0; n < k + l; ++n) power *= degree;
      sum += p[k] * q[l] * power * (kCommon / (k + l + 1));
    }
  return sum;
}

// The stiffness matrix of a rectangle of width hx and height hy: the tensor product of the integrals in one direction.
// Row-major; node a is at (a % (degree + 1), a / (degree + 1)).
std::vector<double> stiffness(int degree, double hx, double hy) {
  const int line = degree + 1, nodes = line * line;
  std::array<std::array<double, kMostNodes>, kMostNodes> mass{}, stiff{};
  for (int a = 0; a < line; ++a)
    for (int b = 0; b <= a; ++b) {
      const Lagrange p(degree, a), q(degree, b);
      const auto below = static_cast<double>(kCommon * p.denominator * q.denominator);
      // The element is [0, 1], so dt = ds / degree.
      mass[a][b] = mass[b][a] = static_cast<double>(integral(p.numerator, q.numerator, degree)) / (below * degree);
      stiff[a][b] = stiff[b][a] =
          static_cast<double>(integral(derivative(p.numerator), derivative(q.numerator), degree) * degree) / below;
    }
  std::vector<double> k(static_cast<std::size_t>(nodes * nodes));
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b) {
      const int ax = a % line, ay = a / line, bx = b % line, by = b / line;
      k[a * nodes + b] = hy / hx * stiff[ax][bx] * mass[ay][by] + hx / hy * mass[ax][bx] * stiff[ay][by];
    }
  return k;
}

// Nodes and elements are numbered along x, line by line.
struct Mesh {
  int degree;
  index_t nx, ny;  // elements in each direction
  index_t width() const { return degree * nx + 1; }
  index_t height() const { return degree * ny + 1; }
  index_t line() const { return degree + 1; }
  index_t nodes() const { return line() * line(); }  // per element
  bool on_boundary(index_t x, index_t y) const { return x == 0 || y == 0 || x == width() - 1 || y == height() - 1; }
  // The elements that contain node `at`, of `count` elements in one direction: [first, last].
  index_t first_element(index_t at) const { return at == 0 ? 0 : (at - 1) / degree; }
  index_t last_element(index_t at, index_t count) const { return std::min(at / degree, count - 1); }
  // Elements that share a node.
  index_t sharing(index_t x, index_t y) const {
    return (last_element(x, nx) - first_element(x) + 1) * (last_element(y, ny) - first_element(y) + 1);
  }
};

// Zero boundary values do not change the pattern. Rows and columns of boundary nodes become those of the identity.
// Every element that shares the node adds its part (1, 1/2 or 1/4, which is exact).
template <class Node>
void fill_element(const Mesh& mesh, index_t element, const std::vector<double>& k, bool dirichlet, Node* map,
                  double* matrix) {
  const index_t left = mesh.degree * (element % mesh.nx), low = mesh.degree * (element / mesh.nx);
  const index_t line = mesh.line(), nodes = mesh.nodes();
  std::array<bool, kMostNodes * kMostNodes> fixed{};
  std::copy(k.begin(), k.end(), matrix);
  for (index_t a = 0; a < nodes; ++a) {
    const index_t x = left + a % line, y = low + a / line;
    map[a] = static_cast<Node>(y * mesh.width() + x);
    fixed[a] = dirichlet && mesh.on_boundary(x, y);
  }
  if (!dirichlet) return;
  for (index_t a = 0; a < nodes; ++a)
    for (index_t b = 0; b < nodes; ++b) {
      if (!fixed[a] && !fixed[b]) continue;
      const index_t x = left + a % line, y = low + a / line;
      matrix[a * nodes + b] = a == b ? 1.0 / static_cast<double>(mesh.sharing(x, y)) : 0;
    }
}

// Each row gathers the parts of its elements in their order. So no two threads write the same row, and the sum does not
// depend on the threads.
struct Assembled {
  Mesh mesh;
  const ElementMatrices& elements;
  index_t rows, cols;

  struct Span {
    index_t first, last;   // elements that hold the node, in one direction
    index_t begin, count;  // nodes of these elements
  };
  Span span(index_t at, index_t count) const {
    const index_t first = mesh.first_element(at), last = mesh.last_element(at, count);
    return {first, last, mesh.degree * first, mesh.degree * (last - first + 1) + 1};
  }
  index_t length(index_t row) const {
    return span(row % mesh.width(), mesh.nx).count * span(row / mesh.width(), mesh.ny).count;
  }
  template <class Column>
  void fill(index_t row, Column* columns, double* values) const {
    const index_t x = row % mesh.width(), y = row / mesh.width();
    const Span sx = span(x, mesh.nx), sy = span(y, mesh.ny);
    for (index_t j = 0; j < sy.count; ++j)
      for (index_t i = 0; i < sx.count; ++i) {
        columns[j * sx.count + i] = static_cast<Column>((sy.begin + j) * mesh.width() + sx.begin + i);
        values[j * sx.count + i] = 0;
      }
    const index_t line = mesh.line(), nodes = mesh.nodes();
    for (index_t ey = sy.first; ey <= sy.last; ++ey)
      for (index_t ex = sx.first; ex <= sx.last; ++ex) {
        const index_t a = (y - mesh.degree * ey) * line + x - mesh.degree * ex;
        const double* part = &elements.matrices[((ey * mesh.nx + ex) * nodes + a) * nodes];
        double* corner = values + (ey - sy.first) * mesh.degree * sx.count + (ex - sx.first) * mesh.degree;
        for (index_t b = 0; b < nodes; ++b) corner[b / line * sx.count + b % line] += part[b];
      }
  }
};

}  // namespace

Matrix make_fem_quad(const ParamSet& p, Progress& progress) {
  const int degree = static_cast<int>(p.at("degree"));
  const bool dirichlet = p.at("boundary") == 0;
  const double nx = p.at("nx"), ny = p.at("ny");
  // In floating point, before the integer products could overflow. In one direction, elements have (p+1)^2 pairs of
  // nodes, and neighbours share one.
  const double nodes = (degree + 1.0) * (degree + 1.0), rows = (degree * nx + 1) * (degree * ny + 1);
  const double nnz = ((degree + 1.0) * (degree + 1.0) * nx - nx + 1) * ((degree + 1.0) * (degree + 1.0) * ny - ny + 1);
  const double index_bytes = rows <= INT32_MAX ? 4 : 8;
  const MemoryReservation reservation(nx * ny * nodes * (index_bytes + 8 * nodes) + 8 * rows + nnz * (index_bytes + 8),
                                      kMatrix, kSmaller);

  const Mesh mesh{degree, whole_number(p, "nx"), whole_number(p, "ny")};
  const index_t n = mesh.width() * mesh.height();
  auto elements = std::make_shared<ElementMatrices>();
  elements->elements = mesh.nx * mesh.ny;
  elements->nodes = mesh.nodes();
  elements->map = Indices::sized(n, static_cast<std::size_t>(elements->elements * elements->nodes));
  elements->matrices.resize(static_cast<std::size_t>(elements->elements * elements->nodes * elements->nodes));
  const std::vector<double> k = stiffness(degree, 1 / nx, 1 / ny);
  elements->map.visit_mut([&](auto map) {
    for_row_blocks(elements->elements, elements->elements * elements->nodes * elements->nodes, progress, 0, 0,
                   [&](index_t first, index_t last) {
                     for (index_t e = first; e < last; ++e)
                       fill_element(mesh, e, k, dirichlet, map.data() + e * elements->nodes,
                                    elements->matrices.data() + e * elements->nodes * elements->nodes);
                   });
  });
  Matrix m;
  m.csr = std::make_shared<const Csr>(build_rows(Assembled{mesh, *elements, n, n}, nnz, progress));
  m.source.symmetry = "symmetric";
  m.elements = std::move(elements);
  return m;
}

}  // namespace warpspy::generate_detail
