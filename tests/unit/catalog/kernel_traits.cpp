// What kernels say of themselves as data: tags, values of a search on a device.
#include "core/catalog/kernel_traits.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/catalog/catalog.hpp"

namespace warpspy {
namespace {

static_assert(Tags().empty() && !Tags(Tag::blocks).empty());
static_assert((Tag::blocks | Tag::atomics).has_all(Tag::atomics) &&
              !Tags(Tag::blocks).has_all(Tag::blocks | Tag::atomics));
static_assert(Tags(Tag::blocks).has_any(Tag::blocks | Tag::atomics) && !Tags(Tag::blocks).has_any({}));
static_assert(Tags(Tag::blocks).has_all({}));

TEST(KernelTraits, EachTagSaysWhatItMeans) {
  std::set<std::string> ids, labels;
  std::size_t place = 0;
  for (const TagRow& row : tag_rows()) {
    EXPECT_EQ(static_cast<std::size_t>(row.tag), place++) << "in the order of Tag";
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(labels.insert(row.label).second) << row.label;
    EXPECT_EQ(std::string(row.help).back(), '.') << row.id;
  }
  EXPECT_EQ(static_cast<std::size_t>(Tag::several_launches), place - 1) << "a tag has no row";
}

TEST(KernelTraits, PeopleAreToldWhatAKernelIsLike) {
  KernelInfo kernel{"k", "K", "Adds up.", "A paper", "csr"};
  EXPECT_EQ(description(kernel), "Adds up.\nA paper");
  kernel.tags = Tag::atomics | Tag::blocks;
  kernel.slowdown = {1.5, "a guess"};
  const std::string text = description(kernel);
  EXPECT_NE(text.find("\natomics: All of y"), std::string::npos) << text;
  EXPECT_NE(text.find("\nblocks: "), std::string::npos) << text;
  EXPECT_EQ(text.find("stripes"), std::string::npos) << text;
  EXPECT_NE(text.find("1.5 times as long as CSR even: a guess."), std::string::npos) << text;
}

const DeviceScale h100 = {132, 227 * 1024}, a100 = {108, 163 * 1024}, unknown = {};

ParamSpec spec_in(ParamSpec::Scale scale, double max) {
  return {.id = "p", .label = "", .help = "", .min = 1, .max = max, .scale = scale, .tried = {0.5, 1, 2}};
}

TEST(KernelTraits, ValuesOfASearchAreTheDevices) {
  const ParamSpec plain = spec_in(ParamSpec::Scale::none, 9), sms = spec_in(ParamSpec::Scale::per_sm, 65536),
                  share = spec_in(ParamSpec::Scale::of_shared, 220);
  EXPECT_EQ(tried_on(plain, unknown), (std::vector<double>{1, 2}));
  EXPECT_EQ(tried_on(sms, h100), (std::vector<double>{66, 132, 264}));
  EXPECT_EQ(tried_on(sms, a100), (std::vector<double>{54, 108, 216}));
  EXPECT_TRUE(tried_on(sms, unknown).empty());
  EXPECT_EQ(value_on(share, 0.5, h100), 112) << "of 113.5 KiB, in steps of 4";
  EXPECT_EQ(value_on(share, 0.96, a100), 156);
  EXPECT_EQ(value_on(share, 0.5, unknown), std::nullopt);
  EXPECT_EQ(tried_on(share, h100), (std::vector<double>{112})) << "the rest is out of range";
}

TEST(KernelTraits, AStartIsLeftOutWhereItDoesNotFit) {
  const std::vector<ParamSpec> specs = {spec_in(ParamSpec::Scale::of_shared, 220)};
  EXPECT_EQ(params_on(Start{.params = {{"p", 0.5}}}, specs, a100), (ParamSet{{"p", 80}}));
  EXPECT_EQ(params_on(Start{.params = {{"p", 0.5}}, .least_shared_kib = 200}, specs, h100), (ParamSet{{"p", 112}}));
  EXPECT_EQ(params_on(Start{.params = {{"p", 0.5}}, .least_shared_kib = 200}, specs, a100), std::nullopt);
  EXPECT_EQ(params_on(Start{.params = {{"p", 0.5}}}, specs, unknown), std::nullopt);
  EXPECT_EQ(params_on(Start{.params = {{"other", 1}}}, specs, h100), std::nullopt) << "no such parameter";
}

}  // namespace
}  // namespace warpspy
