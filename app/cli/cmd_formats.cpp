// formats and convert: what each storage format costs for a matrix, and its arrays for other tools.
#include <chrono>
#include <cstdio>
#include <iostream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/command.hpp"
#include "core/formats/budget.hpp"
#include "core/formats/format.hpp"
#include "core/io/npz.hpp"
#include "core/matrix/memory.hpp"

namespace warpspy::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FormatOptions {
  std::string file, precision = "f64";
  std::vector<std::string> params;

  void add(CLI::App& app) {
    app.add_option("FILE", file, "A matrix file, or gen:NAME")->required();
    app.add_option("--precision", precision, "f32 or f64")->check(CLI::IsMember({"f32", "f64"}))->capture_default_str();
    app.add_option("--param", params, "NAME=VALUE, a parameter of a format; may be repeated")->allow_extra_args(false);
  }
  Precision of_values() const { return precision == "f32" ? Precision::f32 : Precision::f64; }
};

// The values of a choice are given by name or by number.
double value_of(const ParamSpec& spec, const std::string& text) {
  for (std::size_t k = 0; k < spec.choices.size(); ++k)
    if (spec.choices[k] == text) return static_cast<double>(k);
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return v;
  std::string known;
  for (const std::string& choice : spec.choices) known += (known.empty() ? "" : ", ") + choice;
  throw Error("--param " + spec.id + "=" + text + " is not understood", {},
              known.empty() ? "give a number" : "use one of " + known);
}

// Those of the given NAME=VALUE that are parameters of `info`; marks them as used.
ParamSet params_for(const FormatInfo& info, const std::vector<std::string>& given, std::vector<bool>& used) {
  ParamSet set;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const auto equals = given[k].find('=');
    const std::string id = given[k].substr(0, equals);
    for (const ParamSpec& spec : info.params) {
      if (spec.id != id || equals == std::string::npos) continue;
      set[id] = value_of(spec, given[k].substr(equals + 1));
      used[k] = true;
    }
  }
  return checked_params(info.params, set);
}

void require_used(const std::vector<std::string>& given, const std::vector<bool>& used) {
  for (std::size_t k = 0; k < given.size(); ++k)
    if (!used[k]) throw Error("--param " + given[k] + " is a parameter of no format here", {}, "write NAME=VALUE; warpspy formats FILE --json lists the parameters");
}

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

// Whether the built format lists exactly the entries of the matrix (values in the chosen precision).
bool same_entries(const Format& f, const Csr& a, Precision precision) {
  index_t seen = 0;
  bool same = true;
  f.for_each([&](index_t row, index_t column, double value) {
    const index_t k = a.find(row, column);
    if (k < 0) return void(same = false);
    const double stored = a.real_value(k, RealView::real_part);
    same &= value == (precision == Precision::f32 ? static_cast<double>(static_cast<float>(stored)) : stored);
    ++seen;
  });
  return same && seen == a.nnz();
}

// One object per format, with its cost or the reason why it has none.
struct Examined {
  Json json;
  bool wrong = false;  // built, and not equal to the matrix
};

Examined examine(const FormatRow& row, const FormatFacts& facts, Precision precision, const ParamSet& params,
                 bool build) {
  const Csr& a = facts.csr();
  Json j = {{"format", row.info.id}, {"params", json_of(params, row.info)}};
  try {
    const Estimate e = row.estimate(facts, precision, params);
    const Fit fit = fits(e, {.host = available_memory()});
    j["bytes"] = e.bytes();
    j["values_bytes"] = e.bytes(ArraySize::Role::values);
    j["index_bytes"] = e.bytes(ArraySize::Role::indices);
    j["pointer_bytes"] = e.bytes(ArraySize::Role::pointers);
    j["padding_entries"] = e.padding;
    j["padding_ratio"] = e.padding_ratio();
    j["minimum_bytes_per_product"] = minimum_bytes(e, a, precision);
    for (const FormatFact& fact : e.facts) j[fact.name] = fact.value;
    j["fits"] = fit.fits;
    j["reason"] = fit.reason;
    if (!build || !fit.fits) return {j, false};
    Progress progress;
    const auto start = std::chrono::steady_clock::now();
    const auto built = row.build(facts, precision, RealView::real_part, params, progress);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    const bool verified = same_entries(*built, a, precision) && built->size().arrays == e.arrays;
    j["conversion_ms"] = took.count();
    j["verified"] = verified;
    return {j, !verified};
  } catch (const Error& error) {
    j["fits"] = false;
    j["reason"] = error.what();
    return {j, false};
  }
}

void print(const Json& list, index_t nnz) {
  std::printf("%-9s %14s %10s %9s %16s  %s\n", "format", "bytes", "bytes/nnz", "padding", "minimum bytes", "");
  for (const Json& j : list) {
    const std::string id = j["format"];
    if (!j.contains("bytes")) {
      std::printf("%-9s %14s %10s %9s %16s  %s\n", id.c_str(), "-", "-", "-", "-", j["reason"].get<std::string>().c_str());
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
    std::printf("%-9s %14.0f %10.2f %8.1f%% %16.0f  %s\n", id.c_str(), bytes, nnz ? bytes / static_cast<double>(nnz) : 0.0,
                100 * j["padding_ratio"].get<double>(), j["minimum_bytes_per_product"].get<double>(), note.c_str());
  }
}

const char* numpy_type(ArrayView::Type type) {
  constexpr const char* names[] = {"<i4", "<i8", "<f4", "<f8", "<u4"};
  return names[static_cast<int>(type)];
}

}  // namespace

int formats(CLI::App& app, std::vector<std::string> args) {
  FormatOptions options;
  bool json = false, build = false;
  options.add(app);
  app.add_flag("--json", json, "Print JSON");
  app.add_flag("--build", build, "Convert too: time it, and compare the entries with the matrix");
  app.parse(std::move(args));
  const Matrix m = open_with_progress(options.file);
  const FormatFacts facts(m);
  Json list = Json::array();
  std::vector<bool> used(options.params.size(), false);
  std::vector<ParamSet> params;
  for (const FormatRow& row : warpspy::formats()) params.push_back(params_for(row.info, options.params, used));
  require_used(options.params, used);
  std::string wrong;
  for (std::size_t k = 0; k < params.size(); ++k) {
    const FormatRow& row = warpspy::formats()[k];
    const Examined e = examine(row, facts, options.of_values(), params[k], build);
    list.push_back(e.json);
    if (e.wrong) wrong += " " + row.info.id;
  }
  if (json)
    std::cout << list.dump(2) << "\n";
  else
    print(list, m.csr->nnz());
  if (!wrong.empty()) throw Error("these formats do not equal the matrix:" + wrong, {}, "please report this with the matrix");
  return 0;
}

int convert(CLI::App& app, std::vector<std::string> args) {
  FormatOptions options;
  std::string to, out;
  options.add(app);
  app.add_option("--to", to, "Format to convert to")->required();
  app.add_option("-o,--output", out, "The .npz file to write (numpy.load reads it)")->required();
  app.parse(std::move(args));
  const FormatRow& row = format_row(to);
  std::vector<bool> used(options.params.size(), false);
  const ParamSet params = params_for(row.info, options.params, used);
  require_used(options.params, used);
  const Matrix m = open_with_progress(options.file);
  const FormatFacts facts(m);
  const Estimate e = row.estimate(facts, options.of_values(), params);
  const Budget budget{.host = available_memory()};
  if (!fits(e, budget).fits) throw refusal(to, e, facts, options.of_values(), budget);
  Progress progress;
  const auto built = row.build(facts, options.of_values(), RealView::real_part, params, progress);
  std::vector<NamedArray> arrays;
  const std::int64_t shape[] = {m.csr->rows(), m.csr->cols()};
  for (const ArrayView& view : built->arrays())
    arrays.push_back({view.name, numpy_type(view.type), {view.shape.begin(), view.shape.end()}, view.data});
  arrays.push_back(array_of<std::int64_t>("shape", shape));
  arrays.push_back(text_of("format", to));
  write_npz(out, arrays, {}, &progress);
  std::fprintf(stderr, "%s: %s, %zu arrays, %zu bytes\n", out.c_str(), to.c_str(), built->arrays().size(), e.bytes());
  return 0;
}

}  // namespace warpspy::cli
