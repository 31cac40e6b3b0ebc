// The action search: what it finds, in which order, and why something is not possible.
#include "ui/state/search.hpp"

#include <string>

#include "tests/ui/support.hpp"

using namespace warpspy;
using namespace warpspy::ui;

namespace {

std::vector<SearchHit> found(const Harness& h, const std::string& words) {
  return search(h.state(), commands(), words);
}
const SearchHit* hit(const std::vector<SearchHit>& all, const std::string& title) {
  for (const SearchHit& one : all)
    if (one.title == title) return &one;
  return nullptr;
}
void perform(Harness& h, const SearchHit& one) {
  one.perform(h.state(), h.sink);
  for (const auto& a : h.sink.take()) h.session.apply(a);
}

TEST(Search, WhatTheWordsBeginWithComesFirst) {
  EXPECT_LT(search_rank("run", "Run", "Run the kernel"), search_rank("run", "Run", "Clear all runs"));
  EXPECT_LT(search_rank("run", "Run", "Clear all runs"), search_rank("run", "View", "Prune"));
  EXPECT_LT(search_rank("prun", "View", "Prune"), search_rank("prn", "View", "Prune"));
  EXPECT_EQ(search_rank("xyz", "View", "Prune"), -1);
  EXPECT_EQ(search_rank("", "View", "Prune"), 0);
  Harness h;
  const auto all = found(h, "toy");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].title, "Toy GPU");
}

TEST(Search, FindsKernelsDevicesMatricesAndGenerators) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=11");
  h.open("gen:laplace5?nx=12&ny=12");
  const auto* kernel = hit(found(h, "csr sca"), "CSR scalar") ? &h : nullptr;
  ASSERT_TRUE(kernel);
  perform(h, *hit(found(h, "csr sca"), "CSR scalar"));
  EXPECT_EQ(h.state().knobs.kernel, "csr_scalar");
  const std::string first = h.state().matrices[0].name;
  const auto matrices = found(h, first);
  ASSERT_TRUE(hit(matrices, first));
  EXPECT_EQ(matrices[0].kind, "Matrix");
  perform(h, *hit(matrices, first));
  EXPECT_EQ(h.state().selected, h.state().matrices[0].id);
  const auto shown = found(h, first);
  EXPECT_NE(hit(shown, first)->why_not, "") << "it is shown now";
  const auto generated = found(h, "laplace");
  const auto it = std::find_if(generated.begin(), generated.end(), [](const auto& x) { return x.kind == "Generate"; });
  ASSERT_NE(it, generated.end());
  perform(h, *it);
  EXPECT_EQ(h.state().dialog, "open");
  EXPECT_EQ(h.state().open_way, OpenWay::generate);
  EXPECT_NE(h.state().open_generator.find("laplace"), std::string::npos);
}

TEST(Search, FindsKernelsAndDevicesByTheirNameOnTheCommandLine) {
  Harness h;
  for (const KernelInfo& k : h.state().catalog->kernels) EXPECT_EQ(found(h, k.id).at(0).title, k.label);
  for (const DeviceInfo& d : h.state().catalog->devices) EXPECT_EQ(found(h, d.id).at(0).title, d.name);
}

TEST(Search, ExplainsTheFieldsWords) {
  Harness h;
  const auto all = found(h, "coalesc");
  const auto* one = hit(all, "Coalesced");
  ASSERT_TRUE(one);
  EXPECT_FALSE(one->note.empty());
  h.session.apply(ShowDialog{"commands"});
  h.settle();
  for (const char c : std::string("coalesc")) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  h.settle();
  EXPECT_TRUE(h.shows(one->note)) << "the list says what it means";
  perform(h, *one);
  EXPECT_EQ(h.state().tab, "help");
}

TEST(Search, SetsKnobsToValues) {
  Harness h;
  h.open("gen:laplace5?nx=10&ny=11");
  const auto all = found(h, "threads 16");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].title, "Threads per row: 16");
  EXPECT_EQ(all[0].why_not, "");
  perform(h, all[0]);
  EXPECT_EQ(h.state().knobs.kernel_params.at("csr_vector").at("coop"), 16);
  EXPECT_EQ(found(h, "threads 16")[0].why_not, "It is so now.");
  EXPECT_EQ(found(h, "threads 17")[0].why_not, "It is a power of two.");
  EXPECT_EQ(found(h, "threads 64")[0].why_not, "It goes from 1 to 32.");
  EXPECT_NE(found(h, "threads per")[0].why_not.find("Type a value behind it: 1 to 32"), std::string::npos);
  const auto choice = found(h, "policy read");
  ASSERT_FALSE(choice.empty());
  EXPECT_EQ(choice[0].title, "Cache policy: read-only");
  perform(h, choice[0]);
  EXPECT_EQ(h.state().knobs.kernel_params.at("csr_vector").at("policy"), 1);
  perform(h, found(h, "precision f64")[0]);
  EXPECT_EQ(h.state().knobs.precision, Precision::f64);
  perform(h, found(h, "scale 150")[0]);
  EXPECT_EQ(h.state().settings.scale, 1.5);
  EXPECT_NE(found(h, "scale 900 %")[0].why_not, "");
}

TEST(Search, SaysWhyItIsNotPossible) {
  Harness h;
  const auto all = found(h, "run the kernel");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].title, "Run the kernel");
  EXPECT_EQ(all[0].why_not, "Open a matrix first.");
  const auto device = found(h, "cuda");
  ASSERT_TRUE(hit(device, "CUDA"));
  EXPECT_EQ(hit(device, "CUDA")->why_not, "no driver; kernels run in the emulator");
  // On the screen too, and choosing it does nothing.
  h.session.apply(ShowDialog{"commands"});
  h.frames(3);
  for (const char c : std::string("run the kernel")) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  h.frames(4);
  EXPECT_TRUE(h.shows("Open a matrix first."));
  feed_chord({Key::enter}, true);
  h.frames(2);
  feed_chord({Key::enter}, false);
  h.frames(2);
  EXPECT_EQ(h.state().dialog, "commands") << "it stays open";
}

TEST(Search, EveryCommandSaysWhyInASentence) {
  Harness h;
  for (const Command& c : commands()) {
    const std::string why = why_not(h.state(), c);
    EXPECT_TRUE(why.empty() || why.back() == '.') << c.id << ": " << why;
  }
}

}  // namespace
