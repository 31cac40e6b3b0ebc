// What the time model learns from measured times (profiling/simulated/learnt_times.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/record.hpp"
#include "profiling/simulated/learnt_times.hpp"

namespace warpspy {

// One product: what it took, and what the bounds of the model say of it.
struct Lesson {
  std::string matrix, kernel;
  double measured_us = 0;
  double launch_us = 0, bounds_us = 0;  // together the model's time, had it learnt nothing
  ProductTraits traits{};
};
// Nothing where one of the two has no time, or the model's is the launch alone.
std::optional<Lesson> lesson_of(const RunRecord& measured, const RunRecord& modelled);

// A weight for each, by kernel ridge regression. What all kernels of a matrix have in common is left out, since the
// model is for their order; where most of the time is the launch, a product says less. Work: n^3 / 3 for n lessons.
std::vector<double> learnt_weights(const std::vector<Lesson>& lessons);

// The lines that learnt_times.cpp includes.
std::string source_of(const std::vector<Lesson>& lessons, const std::vector<double>& weights);

}  // namespace warpspy
