#include "app/cli/request_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/cases.hpp"

namespace warpspy::cli {
namespace {

bool is_among(const RequestOption& option, std::initializer_list<const char*> ids) {
  return std::any_of(ids.begin(), ids.end(), [&](std::string_view id) { return id == option.id; });
}

}  // namespace

RunRequest for_one_run() {
  RunRequest r;
  r.budget_s = 2;
  return r;
}

void add_engines(CLI::App& app, std::vector<std::string>& commands) {
  app.add_option(
         "--engine-command", commands,
         "The engine of another machine, whose devices are to be had too, such as cuda:0@HOST: \"ssh HOST warpspy "
         "engine\"; may be given several times")
      ->allow_extra_args(false);
}

RequestOptions::RequestOptions(RunRequest defaults) : request(std::move(defaults)) {}

void RequestOptions::add(CLI::App& app, std::initializer_list<const char*> without) {
  for (const RequestOption& option : request_options())
    if (option.flag && !option.of_solve && !is_among(option, without)) add(app, option);
}

void RequestOptions::add_solve(CLI::App& app) {
  for (const RequestOption& option : request_options())
    if (option.of_solve) add(app, option);
}

void RequestOptions::add_only(CLI::App& app, std::initializer_list<const char*> ids) {
  for (const RequestOption& option : request_options())
    if (is_among(option, ids)) add(app, option);
}

void RequestOptions::add(CLI::App& app, const RequestOption& option) {
  RunRequest& r = request;
  if (option.id == std::string_view("device")) add_engines(app, engines);
  std::visit(
      Cases{[&](bool RunRequest::* m) { app.add_flag(option.flag, r.*m, option.help); },
            [&](const RequestOption::Number& n) {
              auto* added = app.add_option(option.flag, r.*n.member, option.help)->capture_default_str();
              if (std::isfinite(n.least)) added->check(CLI::Range(n.least, n.most));
            },
            [&](const RequestOption::Limit&) {
              app.add_option_function<std::string>(
                  option.flag, [this, &option](const std::string& text) { set_text(option, request, text); },
                  option.help);
            },
            [&](const RequestOption::Choice& c) {
              if (option.bare) {
                const auto last = static_cast<int>(c.words.size()) - 1;
                app.add_flag_callback(option.flag, [this, &c, last] { c.set(request, last); }, option.help);
                return;
              }
              auto* added = app.add_option_function<std::string>(
                  option.flag,
                  [this, &option](const std::string& text) {
                    set_text(option, request, text);
                    if (!option.has_default) view_named_ = true;
                  },
                  option.help);
              added->check(CLI::IsMember(std::vector<std::string>(c.words.begin(), c.words.end())));
              if (option.has_default) added->default_str(text_of(option, r));
            },
            [&](auto RunRequest::* m) { app.add_option(option.flag, r.*m, option.help)->capture_default_str(); }},
      option.value);
}

RealView RequestOptions::view_of(const Matrix& m, const std::string& file) const {
  if (m.csr->is_complex() && !view_named_)
    throw Error("the matrix is complex, and formats and kernels have real numbers", file,
                "say which to take: --view real or --view modulus");
  return request.view;
}

}  // namespace warpspy::cli
