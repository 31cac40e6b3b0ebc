// The list of a request's options: each goes through JSON and text, and is told where its row says so.
#include "core/run/request_options.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/cases.hpp"
#include "core/run/compare.hpp"

namespace warpspy {
namespace {

// A request that differs from the default in this option alone.
RunRequest changed(const RequestOption& option) {
  RunRequest r;
  std::visit(Cases{[&](bool RunRequest::* m) { r.*m = !(r.*m); }, [&](std::uint64_t RunRequest::* m) { r.*m += 6; },
                   [&](std::string RunRequest::* m) { r.*m = "another"; },
                   [&](const RequestOption::Number& n) { r.*n.member += 0.25; },
                   [&](const RequestOption::Limit& l) { r.memory.*l.member = 5'000'000'001; },
                   [&](const RequestOption::Choice& c) { c.set(r, c.get(r) == 0 ? 1 : 0); }},
             option.value);
  return r;
}

RunRecord record_of(const RunRequest& request) {
  RunRecord r;
  r.request = request;
  r.status = RunStatus::ok;
  r.device = request.device;
  r.provenance = Provenance::modelled;
  return r;
}

TEST(RequestOptions, AreFoundByIdsOfTheirOwn) {
  std::set<std::string> ids;
  for (const RequestOption& o : request_options()) {
    EXPECT_TRUE(ids.insert(o.id).second) << o.id;
    EXPECT_EQ(&request_option(o.id), &o);
    EXPECT_EQ(o.flag != nullptr, *o.help != '\0') << o.id;
  }
  EXPECT_THROW(request_option("magic"), Error);
}

TEST(RequestOptions, GoThroughJsonAndText) {
  for (const RequestOption& o : request_options()) {
    SCOPED_TRACE(o.id);
    const RunRequest r = changed(o);
    EXPECT_NE(r, RunRequest{});
    EXPECT_EQ(request_from_json(to_json(r)), r);
    RunRequest again;
    set_text(o, again, text_of(o, r));
    EXPECT_EQ(again, r);
    EXPECT_EQ(text_of(o, again), text_of(o, r));
  }
}

TEST(RequestOptions, RecordsOfOlderVersionsMeanWhatTheRowSays) {
  for (const RequestOption& o : request_options()) {
    SCOPED_TRACE(o.id);
    auto json = nlohmann::json::parse(to_json(changed(o)));
    json.erase(o.id);
    if (!o.absent) {
      EXPECT_THROW(request_from_json(json.dump()), Error);
      continue;
    }
    EXPECT_EQ(text_of(o, request_from_json(json.dump())), o.absent);
  }
}

TEST(RequestOptions, AWrongWordIsRefused) {
  RunRequest r;
  for (const char* id : {"precision", "depth", "view", "cache_state", "live", "seed", "alpha", "host_memory_bytes"})
    EXPECT_THROW(set_text(request_option(id), r, "magic"), Error) << id;
  for (const char* seed : {"", "7 ", "18446744073709551616"})  // the last is 2^64
    EXPECT_THROW(set_text(request_option("seed"), r, seed), Error) << seed;
  EXPECT_EQ(r, RunRequest{});
}

TEST(RequestOptions, DifferAndAreListedWhereTheirRowSaysSo) {
  for (const RequestOption& o : request_options()) {
    SCOPED_TRACE(o.id);
    const auto base = std::make_shared<const RunRecord>(record_of({}));
    const auto other = std::make_shared<const RunRecord>(record_of(changed(o)));
    const RunComparison c = compare_runs({base, other}, {});
    ASSERT_EQ(c.differences.size(), o.label ? 1u : 0u);
    if (o.label) {
      EXPECT_EQ(c.differences[0].label, o.label);
      EXPECT_EQ(c.differences[0].runs[1], told_of(o, *other));
    }
    const std::string csv = to_csv({*other}), head = csv.substr(0, csv.find('\n'));
    if (o.column) {
      EXPECT_NE(head.find(o.column), std::string::npos) << head;
      EXPECT_NE(csv.find("," + text_of(o, other->request) + ","), std::string::npos) << csv;
    }
  }
}

TEST(RequestOptions, AProductStaysWhileNothingChangesThatItDependsOn) {
  for (const RequestOption& o : request_options())
    EXPECT_EQ(product_of(changed(o)) == product_of({}), !o.of_product) << o.id;
}

}  // namespace
}  // namespace warpspy
