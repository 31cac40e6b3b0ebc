// formats and convert: what each storage format costs for a matrix, and its arrays for other tools.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.hpp"
#include "app/cli/format_options.hpp"
#include "app/wiring.hpp"
#include "core/base/json_text.hpp"
#include "core/base/numbers.hpp"
#include "core/formats/budget.hpp"
#include "core/formats/compare.hpp"
#include "core/formats/format.hpp"
#include "core/formats/scipy.hpp"
#include "core/io/npz.hpp"
#include "profiling/engine/devices.hpp"
#include "profiling/engine/made_on_gpu.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ParamSet& params, const FormatInfo& info) {
  Json object = Json::object();
  for (const ParamSpec& spec : info.params) {
    const double v = params.at(spec.id);
    if (!spec.choices.empty())
      object[spec.id] = spec.choices[static_cast<std::size_t>(v)];
    else if (spec.type == ParamSpec::Type::real)
      object[spec.id] = v;
    else
      object[spec.id] = static_cast<std::int64_t>(v);
  }
  return object;
}

// Prints counts without ".0"; shares keep their fraction.
Json json_of(const FormatFact& fact) {
  const bool whole = fact.value == std::floor(fact.value) && std::abs(fact.value) < 0x1p53;
  return whole && !fact.name.ends_with("_share") ? Json(static_cast<std::int64_t>(fact.value)) : Json(fact.value);
}

// One object per format: its cost, or why it has none.
struct Examined {
  Json json;
  std::string wrong;  // built, and not equal to the matrix: how
};

// What `formats` was asked about beside the sizes.
struct FormatsAsked {
  bool build = false;
  const DeviceInfo* device = nullptr;    // makes the formats too
  std::shared_ptr<const CsrFormat> csr;  // what it makes them from
};

// How long the device takes to make a built format, or why it does not. Adds to `wrong` if it made something else.
Json made_there(const FormatsAsked& wanted, const FormatFacts& facts, const Format& built, const ParamSet& params,
                std::string& wrong) {
  Json j = {{"device", wanted.device->id}};
  const ConversionRow* row = conversion_to(built.id());
  try {
    if (!row) throw Error("it is made on the host alone");
    Progress progress;
    const MadeOnGpu made = make_on_gpu(*row, *wanted.device, wanted.csr, facts, built, params, progress);
    j["us"] = made.us;
    j["provenance"] = name_of(made.provenance);
    j["how"] = made.how;
    if (made.device_bytes > 0) j["device_bytes"] = made.device_bytes;
    if (made.provenance == Provenance::measured) j["as_on_host"] = made.differs.empty();
    if (!made.differs.empty()) wrong = "on " + wanted.device->name + " its array " + made.differs + " becomes another";
  } catch (const Error& e) {
    j["us"] = nullptr;
    j["reason"] = e.what();
  }
  return j;
}

Examined examine(const FormatRow& row, const FormatFacts& facts, Precision precision, const ParamSet& params,
                 const MemoryBudget& memory, const FormatsAsked& wanted) {
  const Csr& a = facts.csr();
  Json j = {{"format", row.info.id}, {"params", json_of(params, row.info)}};
  try {
    const Estimate e = row.estimate(facts, precision, params);
    const Budget budget = budget_now(memory);
    const Fit fit = fits(e, budget);
    j["bytes"] = e.bytes();
    j["values_bytes"] = e.bytes(ArraySize::Kind::values);
    j["index_bytes"] = e.bytes(ArraySize::Kind::indices);
    j["pointer_bytes"] = e.bytes(ArraySize::Kind::pointers);
    j["padding_entries"] = e.padding;
    j["padding_ratio"] = e.padding_ratio();
    j["minimum_bytes_per_product"] = minimum_bytes(e, a, precision);
    for (const FormatFact& fact : e.facts) j[fact.name] = json_of(fact);
    j["fits"] = fit.fits;
    j["reason"] = fit.fits ? "" : fit.reason + "; " + alternatives_text(formats_that_fit(facts, precision, budget));
    if (!wanted.build || !fit.fits) return {j, {}};
    Progress progress;
    const auto start = std::chrono::steady_clock::now();
    const auto built = row.build(facts, precision, RealView::real_part, params, progress);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::string wrong = difference(a, *built, precision, RealView::real_part, progress);
    if (wrong.empty() && built->size().arrays != e.arrays) wrong = "its arrays have other sizes than estimated";
    j["conversion_ms"] = took.count();
    j["verified"] = wrong.empty();
    if (wanted.device && row.info.id != "csr") j["made_on"] = made_there(wanted, facts, *built, params, wrong);
    return {j, wrong};
  } catch (const Error& error) {
    // The format has no size, but its object has the same names.
    for (const char* name : {"bytes", "values_bytes", "index_bytes", "pointer_bytes", "padding_entries",
                             "padding_ratio", "minimum_bytes_per_product"})
      if (!j.contains(name)) j[name] = nullptr;
    j["fits"] = false;
    j["reason"] = error.what();
    return {j, {}};
  }
}

void print(const Json& list, index_t nnz) {
  std::printf("%-13s %14s %10s %9s %16s  %s\n", "format", "bytes", "bytes/nnz", "padding", "minimum bytes", "");
  for (const Json& j : list) {
    const std::string id = j["format"];
    if (j["bytes"].is_null()) {
      std::printf("%-13s %14s %10s %9s %16s  %s\n", id.c_str(), "-", "-", "-", "-",
                  j["reason"].get<std::string>().c_str());
      continue;
    }
    const double bytes = j["bytes"].get<double>();
    std::string note = j["reason"];
    if (j.contains("conversion_ms")) {
      char text[64];
      std::snprintf(text, sizeof text, "converted in %.3g ms, %s", j["conversion_ms"].get<double>(),
                    j["verified"].get<bool>() ? "verified" : "WRONG");
      note = text;
    }
    if (j.contains("made_on")) {
      const Json& made = j["made_on"];
      char text[64];
      if (!made["us"].is_null())
        std::snprintf(text, sizeof text, "; on %s in %.3g us (%s)", made["device"].get<std::string>().c_str(),
                      made["us"].get<double>(), made["provenance"].get<std::string>().c_str());
      note += made["us"].is_null()
                  ? "; not on " + made["device"].get<std::string>() + ": " + made["reason"].get<std::string>()
                  : std::string(text);
    }
    std::printf("%-13s %14.0f %10.2f %8.1f%% %16.0f  %s\n", id.c_str(), bytes,
                nnz ? bytes / static_cast<double>(nnz) : 0.0, 100 * j["padding_ratio"].get<double>(),
                j["minimum_bytes_per_product"].get<double>(), note.c_str());
  }
}

// Warns before a file is written that is mostly zeros and many times as large as the matrix.
void tell_padding(const std::string& format, const Estimate& e, index_t entries) {
  if (e.padding_ratio() <= 0.5) return;
  std::fprintf(stderr, "warpspy: %s takes %s, of which %.4g %% is padding: %s places for %s entries\n", format.c_str(),
               byte_text(static_cast<double>(e.bytes())).c_str(), 100 * e.padding_ratio(),
               std::to_string(e.stored).c_str(), std::to_string(entries).c_str());
}

const char* numpy_type(ArrayView::Type type) {
  // In the order of ArrayView::Type; offsets are words.
  constexpr const char* names[] = {"<i4", "<i8", "<f4", "<f8", "<u4", "<u2", "|u1"};
  return names[static_cast<int>(type)];
}

}  // namespace

int formats(CLI::App& app, std::vector<std::string> args) {
  FormatOptions options;
  bool json = false, build = false;
  options.add(app);
  app.add_flag("--json", json, "Print JSON");
  std::string device;
  app.add_flag("--build", build, "Convert too: time it, and compare the entries with the matrix");
  app.add_option(
      "--device", device,
      "With --build: make each format on this GPU too, from a CSR that is there: how long that takes, and on a "
      "real GPU whether its arrays are the host's: cuda, cuda:N or sim:ID");
  app.parse(std::move(args));
  if (!device.empty() && !build) throw Error("--device makes formats, which --build asks for", {}, "add --build");
  const MemoryBudget memory = options.memory();
  std::optional<Services> services;
  FormatsAsked wanted;
  wanted.build = build;
  if (!device.empty()) {
    services = make_services();
    wanted.device = choose_device(device, services->catalog.devices).device;
  }
  const Matrix m = open_with_progress(options.file);
  const FormatFacts facts(m);
  if (wanted.device) {
    Progress progress;
    wanted.csr = std::make_shared<const CsrFormat>(*m.csr, options.of_values(), RealView::real_part, progress);
  }
  Json list = Json::array();
  std::vector<bool> used(options.params.size(), false);
  std::vector<ParamSet> params;
  for (const FormatRow& row : warpspy::formats()) params.push_back(params_for(row.info, options.params, used));
  require_used(options.params, used);
  std::string wrong;
  for (std::size_t k = 0; k < params.size(); ++k) {
    const FormatRow& row = warpspy::formats()[k];
    const Examined e = examine(row, facts, options.of_values(), params[k], memory, wanted);
    list.push_back(e.json);
    if (!e.wrong.empty()) wrong += (wrong.empty() ? "" : "; ") + row.info.id + ": " + e.wrong;
  }
  if (json)
    std::cout << json_text(list) << "\n";
  else
    print(list, m.csr->nnz());
  if (!wrong.empty())
    throw Error("formats that do not equal the matrix: " + wrong, {}, "please report this with the matrix");
  return 0;
}

int convert(CLI::App& app, std::vector<std::string> args) {
  FormatOptions options;
  std::string to, out;
  options.add(app);
  options.run.add_only(app, {"view"});
  app.add_option("--to", to, "Format to convert to")->required();
  app.add_option("-o,--output", out,
                 "The .npz file to write: scipy.sparse.load_npz reads the matrix, numpy.load every array")
      ->required();
  app.parse(std::move(args));
  const MemoryBudget memory = options.memory();
  const FormatRow& row = format_row(to);
  const ParamSet params = params_for(row.info, options.params);
  const Matrix m = open_with_progress(options.file);
  const RealView real = options.run.view_of(m, options.file);
  const FormatFacts facts(m);
  const Estimate e = row.estimate(facts, options.of_values(), params);
  const Budget budget = budget_now(memory);
  if (!fits(e, budget).fits) throw refusal(to, e, facts, options.of_values(), budget);
  tell_padding(to, e, facts.csr().nnz());
  Progress progress;
  const auto built = row.build(facts, options.of_values(), real, params, progress);
  std::vector<NamedArray> arrays;
  const auto add = [&](const ArrayView& array) {
    arrays.push_back({array.name, numpy_type(array.type), {array.shape.begin(), array.shape.end()}, array.data});
  };
  // A format that SciPy lacks is written with the names of its own arrays, and the matrix also in a format that SciPy
  // reads.
  auto scipy = as_scipy(*built);
  std::shared_ptr<const Format> beside;
  if (!scipy) {
    for (const ArrayView& array : built->arrays()) add(array);
    arrays.push_back(text_of("storage", to));
    const FormatRow& csr = format_row("csr");
    beside = csr.build(facts, options.of_values(), real, params_for(csr.info, {}), progress);
    scipy = as_scipy(*beside);
  }
  for (const ArrayView& array : scipy->arrays) add(array);
  const std::int64_t shape[] = {m.csr->rows(), m.csr->cols()};
  arrays.push_back(array_of<std::int64_t>("shape", shape));
  arrays.push_back(text_of("format", scipy->format));
  write_npz(out, arrays, {}, &progress);
  std::fprintf(stderr, "%s: %s, %zu arrays, %zu bytes%s\n", out.c_str(), to.c_str(), built->arrays().size(), e.bytes(),
               beside ? "; beside them the matrix as csr, for scipy.sparse.load_npz" : "");
  return 0;
}

}  // namespace warpspy::cli
