// Lays the iteration of a solve out behind a product, in the emulator and on a device alike.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix/pages.hpp"
#include "kernels/solve/begin.hpp"
#include "kernels/solve/bicgstab.hpp"
#include "kernels/solve/cg.hpp"
#include "kernels/solve/chebyshev.hpp"
#include "kernels/solve/exchange.hpp"
#include "kernels/solve/gmres.hpp"
#include "kernels/solve/iteration.hpp"
#include "kernels/solve/pipelined_cg.hpp"

namespace warpspy::solve {

template <class Layout>
class IterationLayout {
 public:
  using T = typename Layout::Value;

  IterationLayout(Layout& layout, const IterationInputs& in)
      : layout_(layout),
        in_(in),
        size_(in.system.rows()),
        grid_(enough_blocks(vector_grid(size_))),
        product_launches_(layout.launch_count()),
        direction_(layout.next_x()),
        y_(layout.y()) {
    plan_.unit = in.unit;
    plan_.parts.assign(product_launches_, SolvePart::product);
    if (direction_.size < size_)
      throw Error("the kernel reads no x, so it computes no product", {}, "choose another kernel or other loads of x");
    direction_.size = size_;  // without the zeros behind it that some kernels read
    if (!layout.order().empty()) {
      const auto& order = layout.order();
      order_ = layout.made("y_order", simt::Role::matrix, std::vector<std::int32_t>(order.begin(), order.end()));
      rows_ = zeros("y_in_rows");
      to_row_order();
      product_launches_ = layout.launch_count();
    }
    plan_.product_ends.push_back(product_launches_ - 1);
    plan_.direction = direction_.data, plan_.product = product().data;
  }

  IterationPlan lay_out() {
    rr_ = static_cast<T>(in_.share.rr);
    if (!shared())
      for (const double v : in_.r) rr_ += static_cast<T>(v) * static_cast<T>(v);
    switch (in_.options.preconditioner) {
      case Preconditioner::none:
        method(Unchanged<T>{});
        break;
      case Preconditioner::jacobi:
        method(JacobiStep<T>{layout_.made("inverse_diagonal", simt::Role::matrix, numbers(in_.system.inverse))});
        break;
      case Preconditioner::block_jacobi:
        method(BlockJacobiStep<T>{layout_.made("inverse_blocks", simt::Role::matrix, numbers(in_.system.inverse)),
                                  size_, in_.options.block});
        break;
      case Preconditioner::chebyshev:
        inverse_ = layout_.made("inverse_diagonal", simt::Role::matrix, numbers(in_.system.inverse));
        if (in_.system.polynomial.steps.size() > 1) difference_ = zeros("d");
        method(JacobiStep<T>{inverse_});  // the first step of the polynomial
        break;
    }
    return std::move(plan_);
  }

 private:
  static std::vector<T> numbers(const std::vector<double>& v) { return std::vector<T>(v.begin(), v.end()); }
  simt::Array<T> zeros(const char* name) {
    return layout_.state(name, std::vector<T>(static_cast<std::size_t>(size_)));
  }
  // An array of ones. If only a sample of blocks runs, some partial sums are missing, and a positive number must stand
  // in their place.
  simt::Array<T> ones(const char* name, index_t count) {
    return layout_.state(name, std::vector<T>(static_cast<std::size_t>(count), T{1}));
  }
  Parts<T> parts(const char* name, int sums = 1) { return parts(name, sums, grid_.grid); }
  Parts<T> parts(const char* name, int sums, std::int64_t grid) { return {ones(name, sums * grid), grid, grid}; }
  const simt::Array<T>& product() const { return order_.data ? rows_ : y_; }

  template <class Code>
  void launch(SolvePart part, const Code& code, LaunchSpec spec) {
    layout_.launch(spec, code);
    plan_.parts.push_back(part);
  }
  template <class Code>
  void launch(SolvePart part, const Code& code) {
    launch(part, code, grid_);
  }
  void to_row_order() { launch(SolvePart::updates, ToRowOrder<T>{as_const(y_), order_, rows_, grid_.grid}); }
  // Lays out the launches of the product once more, after all launches so far.
  void again() {
    layout_.repeat_launches(product_launches_);
    for (std::size_t i = 0; i < product_launches_; ++i) plan_.parts.push_back(plan_.parts[i]);
    plan_.product_ends.push_back(plan_.parts.size() - 1);
  }

  bool shared() const { return in_.share.gpus > 1; }
  // As many blocks as there are GPUs, or more: an exchange puts one number of each in the place of a block's.
  LaunchSpec enough_blocks(LaunchSpec spec) const {
    spec.grid = std::max<index_t>(spec.grid, in_.share.gpus);
    return spec;
  }
  void exchange(const Parts<T>& parts, int sums) {
    if (!shared()) return;
    launch(SolvePart::exchange, Exchange<T>{parts, in_.share.gpus, in_.share.gpu}, {.grid = sums, .block = threads});
    plan_.exchanges.push_back({plan_.parts.size() - 1, sums, parts.stride, parts.all.data + parts.begin});
  }

  bool has_polynomial() const { return in_.options.preconditioner == Preconditioner::chebyshev; }
  // Lays out the further steps of the polynomial M^-1 r; the product's x has the first one. r begins at element
  // `begin`. `also` gets M^-1 r too, and partial sums of r' M^-1 r can be written.
  void polynomial(const simt::Array<const T>& r, std::int64_t begin = 0, const simt::Array<T>& also = {},
                  const Parts<T>* rz = nullptr) {
    if (!has_polynomial()) return;
    const auto& steps = in_.system.polynomial.steps;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const bool last = k + 1 == steps.size();
      const auto update = [&]<bool sum>() {
        launch(SolvePart::updates,
               ChebyshevUpdate<T, sum>{as_const(product()), inverse_, r, direction_, difference_,
                                       last ? also : simt::Array<T>{}, sum ? *rz : Parts<T>{}, begin, grid_.grid,
                                       static_cast<T>(steps[k].old), static_cast<T>(steps[k].fresh), k == 0, last});
      };
      again();
      if (last && rz)
        update.template operator()<true>();
      else
        update.template operator()<false>();
    }
  }

  // Lays out the start of a solve from the vector b on the device: the launches for `code` and for the slots, and those
  // of polynomials between them.
  template <class Step, class Between>
  void begin(Begin<T, Step> code, const Slots<T>& s, FirstRz kind, const simt::Array<T>& b, const Between& between) {
    plan_.begin = plan_.parts.size();
    plan_.b = b.data, plan_.x = code.x.data;
    code.b = as_const(b);
    launch(SolvePart::updates, code, {.grid = code.rr_rz.grid, .block = threads});
    between();
    const LaunchSpec of_slots = vector_grid(s.rr.size);
    launch(SolvePart::updates,
           BeginSlots<T>{code.rr_rz, s, of_slots.grid, plan_.begin_slot, kind, std::numeric_limits<T>::infinity()},
           of_slots);
  }
  simt::Array<T> right_hand_side() { return layout_.state("b", numbers(in_.system.b)); }

  // Makes the slots: elements that each have a number of one iteration. `first` of them stand before the first
  // iteration. If a sample skips the launch that moves the slots on, valid numbers are there too.
  Slots<T> slots(std::int64_t first, T rz) {
    plan_.begin_slot = plan_.first_slot = first;
    plan_.enough = static_cast<double>(enough());
    const std::int64_t count =
        first + static_cast<std::int64_t>(in_.options.most_iterations) + 2 * static_cast<std::int64_t>(in_.unit) + 2;
    std::vector<T> rr(static_cast<std::size_t>(count)), rzs(rr.size());
    std::fill_n(rr.begin(), first + 1, rr_);
    std::fill_n(rzs.begin(), first + 1, rz);
    return {layout_.state("slot", std::vector<std::int32_t>{0}),
            layout_.state("rr", std::move(rr)),
            layout_.state("rz", std::move(rzs)),
            layout_.state("alpha", std::vector<T>(static_cast<std::size_t>(count), T{1})),
            enough(),
            0};
  }
  T enough() const {
    const double length = in_.options.tolerance * in_.system.b_norm;
    return static_cast<T>(length * length);
  }

  static T dot(const std::vector<double>& a, const std::vector<T>& b) {
    T sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<T>(a[i]) * b[i];
    return sum;
  }

  template <class Step>
  void method(const Step& step) {
    switch (in_.options.solver) {
      case Solver::cg:
        return cg(step);
      case Solver::pipelined_cg:
        return pipelined_cg(step);
      case Solver::bicgstab:
        return bicgstab(step);
      case Solver::gmres:
        return gmres(step);
      case Solver::none:
        break;
    }
    throw Error("a run without a solver is no solve", "solver", "choose one, such as --solver cg");
  }

  template <class Step>
  void cg(const Step& step) {
    constexpr bool keeps_z = std::is_same_v<Step, BlockJacobiStep<T>>;
    Slots<T> s = slots(in_.unit, shared() ? static_cast<T>(in_.share.rz) : dot(in_.r, numbers(in_.x)));
    const auto x = layout_.state("x", numbers(in_.system.x0)), r = layout_.state("r", numbers(in_.r));
    // A polynomial computes z in the x of the product, so p needs an array of its own.
    const auto z = keeps_z ? zeros("z") : has_polynomial() ? direction_ : simt::Array<T>{};
    const auto p = has_polynomial() ? layout_.state("p", numbers(in_.x)) : direction_;
    constexpr int sums = CgResidual<T, Step>::sums;
    const Parts<T> pw = parts("pw_parts"), rr_rz = parts("rr_parts", sums);
    for (s.place = 0; s.place < in_.unit; ++s.place) {
      if (s.place > 0) again();
      launch(SolvePart::dots, CgDot<T>{as_const(direction_), as_const(product()), pw, s, s.place == 0 ? in_.unit : 0});
      exchange(pw, 1);
      launch(SolvePart::updates, CgResidual<T, Step>{as_const(product()), r, z, pw, rr_rz, s, step, z.size > 0});
      Parts<T> rz = rr_rz;
      rz.begin = rr_rz.stride;
      polynomial(as_const(r), 0, {}, &rz);
      exchange(rr_rz, sums);
      if (has_polynomial())
        launch(SolvePart::updates,
               CgDirection<T, PutBack<T>>{as_const(z), p, x, rr_rz, s, PutBack<T>{direction_}, sums == 1});
      else if constexpr (keeps_z)
        launch(SolvePart::updates, CgDirection<T, Unchanged<T>>{as_const(z), direction_, x, rr_rz, s, {}, sums == 1});
      else
        launch(SolvePart::updates, CgDirection<T, Step>{as_const(r), direction_, x, rr_rz, s, step, sums == 1});
    }
    if (!in_.restarts) return;
    s.place = 0;
    begin(Begin<T, Step>{.x = x, .same = {r}, .preconditioned = {direction_}, .rr_rz = rr_rz, .step = step}, s,
          sums == 1 ? FirstRz::rr : FirstRz::own_sum, right_hand_side(), [&] {
            Parts<T> rz = rr_rz;
            rz.begin = rr_rz.stride;
            polynomial(as_const(r), 0, p, &rz);
          });
  }

  // It begins with u = M^-1 r and w = A u, which the host computes; the first product's x is M^-1 w.
  template <class Step>
  void pipelined_cg(const Step& step) {
    constexpr bool changes = !std::is_same_v<Step, Unchanged<T>>;
    Slots<T> s = slots(0, std::numeric_limits<T>::infinity());
    const std::vector<T> u = numbers(in_.u), w = numbers(in_.w);
    const auto x = layout_.state("x", numbers(in_.system.x0)), r = layout_.state("r", numbers(in_.r));
    const auto own_u = changes ? layout_.state("u", u) : r, own_q = changes ? zeros("q") : simt::Array<T>{};
    const auto own_w = changes ? layout_.state("w", w) : direction_;
    const auto p = zeros("p"), own_s = zeros("s"), z = zeros("z");
    // Each part is the same share of the sum. Where they are of odd slots, nobody reads them before they are written.
    constexpr int sums = PipelinedUpdate<T, Step>::sums;
    T first[3] = {rr_, static_cast<T>(in_.share.wu), static_cast<T>(in_.share.rz)};
    if (!shared()) {
      first[2] = dot(in_.r, u);
      for (std::size_t i = 0; i < u.size(); ++i) first[1] += u[i] * w[i];
    }
    const std::int64_t grid = grid_.grid;
    std::vector<T> all;
    for (int k = 0; k < sums; ++k)
      all.insert(all.end(), static_cast<std::size_t>(2 * grid), first[k] / static_cast<T>(grid));
    const Parts<T> parts{layout_.state("parts", std::move(all)), grid, 2 * grid};
    const auto exchange_both = [&] { exchange({parts.all, grid, grid}, 2 * sums); };  // those of odd and of even slots
    for (s.place = 0; s.place < in_.unit; ++s.place) {
      if (s.place > 0) again();
      launch(SolvePart::updates, PipelinedUpdate<T, Step>{as_const(product()), direction_, x, r, own_u, own_w, p, own_s,
                                                          own_q, z, parts, s, step});
      exchange_both();
      polynomial(as_const(own_w));
    }
    const auto b = in_.unit > 1 || in_.restarts ? right_hand_side() : simt::Array<T>{};
    const auto stage = [&]<Replace which>() {
      if (which != Replace::begin) again();
      launch(SolvePart::updates,
             PipelinedReplace<T, Step, which>{as_const(product()), as_const(x), as_const(p), as_const(b), direction_, r,
                                              own_u, own_w, own_s, own_q, z, parts, s, step});
    };
    s.place = 0;
    if (in_.unit > 1) {
      launch(SolvePart::updates, MoveOn<T>{s, in_.unit}, {.grid = 1, .block = simt::warp_size});
      plan_.replacement = plan_.parts.size();
      stage.template operator()<Replace::begin>();
      stage.template operator()<Replace::s>();
      polynomial(as_const(own_s), 0, own_q);
      stage.template operator()<Replace::z>();
      stage.template operator()<Replace::r>();
      polynomial(as_const(r), 0, own_u);
      stage.template operator()<Replace::w>();
      exchange_both();
      polynomial(as_const(own_w));
    }
    if (in_.restarts) {
      Begin<T, Step> code{.x = x,
                          .same = {r},
                          .preconditioned = {direction_, changes ? own_u : simt::Array<T>{}},
                          .zero = {p, own_s, own_q, z},
                          .rr_rz = this->parts("begin_parts", 2),
                          .step = step};
      begin(code, s, FirstRz::infinite, b, [&] { polynomial(as_const(r), 0, own_u); });
      stage.template operator()<Replace::w>();
      polynomial(as_const(own_w));
    }
    plan_.first_slot = 1;  // each launch leaves the residual that it finds
  }

  template <class Step>
  void bicgstab(const Step& step) {
    Slots<T> s = slots(in_.unit, rr_);  // r0 is the first r
    const auto x = layout_.state("x", numbers(in_.system.x0)), r = layout_.state("r", numbers(in_.r));
    const auto first_r = layout_.state("r0", numbers(in_.r));
    const auto r0 = as_const(first_r);
    const auto p = layout_.state("p", numbers(in_.r)), v = zeros("v");
    const auto omega = layout_.state("omega", std::vector<T>(static_cast<std::size_t>(s.rr.size), T{1}));
    const Parts<T> rv = parts("rv_parts"), ts_tt = parts("ts_parts", 2), rr_rz = parts("rr_parts", 2);
    for (s.place = 0; s.place < in_.unit; ++s.place) {
      if (s.place > 0) again();
      launch(SolvePart::dots, BicgDot<T>{as_const(product()), r0, v, rv, s, s.place == 0 ? in_.unit : 0});
      exchange(rv, 1);
      launch(SolvePart::updates, BicgHalf<T, Step>{x, r, direction_, as_const(v), rv, s, step});
      polynomial(as_const(r));
      again();
      launch(SolvePart::dots, BicgDots<T>{as_const(product()), as_const(r), ts_tt});
      exchange(ts_tt, 2);
      launch(SolvePart::updates,
             BicgStep<T>{as_const(product()), as_const(direction_), r0, x, r, ts_tt, rr_rz, omega, s});
      exchange(rr_rz, 2);
      launch(SolvePart::updates,
             BicgDirection<T, Step>{as_const(r), as_const(v), p, direction_, rr_rz, omega, s, step});
      polynomial(as_const(p));
    }
    if (!in_.restarts) return;
    s.place = 0;
    begin(Begin<T, Step>{.x = x, .same = {r, first_r, p}, .preconditioned = {direction_}, .rr_rz = rr_rz, .step = step},
          s, FirstRz::rr, right_hand_side(), [&] { polynomial(as_const(p)); });
  }

  template <class Step>
  void gmres(const Step& step) {
    const int restart = in_.options.restart;
    const LaunchSpec grid = enough_blocks(basis_grid(size_));
    Slots<T> s = slots(restart, rr_);
    const auto count = static_cast<std::size_t>(restart);
    const T norm = std::sqrt(rr_);
    const std::size_t elements = (count + 1) * static_cast<std::size_t>(size_);
    std::vector<T> basis = with_room<T>(elements);  // gigabytes for millions of unknowns
    basis.resize(elements);
    for (std::size_t i = 0; i < in_.r.size(); ++i) basis[i] = norm > 0 ? static_cast<T>(in_.r[i]) / norm : T{0};
    std::vector<T> g(count + 1);
    g[0] = norm;
    const auto x = layout_.state("x", numbers(in_.system.x0));
    const Krylov<T> k{layout_.state("basis", std::move(basis)),
                      layout_.state("hessenberg", std::vector<T>(count * (count + 1))),
                      layout_.state("cosines", std::vector<T>(count)),
                      layout_.state("sines", std::vector<T>(count)),
                      layout_.state("g", std::move(g)),
                      ones("h_parts", static_cast<index_t>(count) * grid.grid),
                      parts("norm_parts", 1, grid.grid),
                      layout_.state("steps", std::vector<std::int32_t>{0}),
                      size_,
                      grid.grid,
                      restart};
    const auto iteration = [&](int j, bool moves) {
      s.place = j;
      // Rounded up: nvcc loads two neighbours at once, also where the second is one too many.
      const LaunchSpec removal{
          .grid = grid.grid, .block = threads, .shared_bytes = static_cast<int>(sizeof(T)) * ((j + 1 + 3) / 4 * 4)};
      launch(SolvePart::dots, BasisDots<T>{k, as_const(product()), s, j + 1, moves ? restart : 0}, grid);
      const Parts<T> of_basis{k.parts, grid.grid, grid.grid};
      exchange(of_basis, j + 1);
      launch(SolvePart::updates, BasisRemoval<T>{k, product(), j + 1, false}, removal);
      launch(SolvePart::dots, BasisDots<T>{k, as_const(product()), s, j + 1, 0}, grid);
      exchange(of_basis, j + 1);
      launch(SolvePart::updates, BasisRemoval<T>{k, product(), j + 1, true}, removal);
      exchange(k.norms, 1);
      launch(SolvePart::updates, BasisVector<T, Step>{k, as_const(product()), direction_, s, step, j + 1}, grid);
      polynomial(as_const(k.basis), (j + 1) * size_);
    };
    const bool alone = in_.unit == 1 && restart > 1;
    if (alone) iteration(restart / 2, false);
    for (int j = 0; j < restart && !alone; ++j) {
      if (j > 0) again();
      iteration(j, j == 0);
    }
    const auto b = alone && !in_.restarts ? simt::Array<T>{} : right_hand_side();
    if (!alone) end_of_cycle(k, x, b, grid, step);
    if (!in_.restarts) return;
    s.place = 0;
    begin(Begin<T, Unchanged<T>>{.x = x, .same = {k.basis}, .rr_rz = k.norms}, s, FirstRz::rr, b, [] {});
    launch(SolvePart::updates, BasisBegin<T, Step>{k, direction_, step}, grid);
    polynomial(as_const(k.basis));
  }

  // Lays out the launches that compute the new x and the first vector of the next cycle.
  template <class Step>
  void end_of_cycle(const Krylov<T>& k, const simt::Array<T>& x, const simt::Array<T>& b, const LaunchSpec& grid,
                    const Step& step) {
    launch(SolvePart::updates, BasisSolve<T>{k}, {.grid = 1, .block = simt::warp_size});
    if (has_polynomial()) {
      launch(SolvePart::updates, BasisSum<T>{k, direction_, inverse_}, grid);
      polynomial(as_const(k.basis));
      launch(SolvePart::updates, BasisAdd<T>{k, x, direction_}, grid);
    } else {
      launch(SolvePart::updates, BasisUpdate<T, Step>{k, x, direction_, step}, grid);
    }
    again();
    launch(SolvePart::updates, BasisResidual<T>{k, as_const(b), as_const(product())}, grid);
    exchange(k.norms, 1);
    launch(SolvePart::updates, BasisBegin<T, Step>{k, direction_, step}, grid);
    polynomial(as_const(k.basis));
  }

  Layout& layout_;
  const IterationInputs& in_;
  index_t size_;
  LaunchSpec grid_;
  std::size_t product_launches_;
  simt::Array<T> direction_, y_, rows_{};
  simt::Array<const std::int32_t> order_{};
  simt::Array<const T> inverse_{};  // of a polynomial, as the next one
  simt::Array<T> difference_{};
  T rr_ = 0;
  IterationPlan plan_;
};

}  // namespace warpspy::solve
