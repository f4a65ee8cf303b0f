// SPDX-License-Identifier: MIT
#include "capture/session/source_list.h"

#include <gtest/gtest.h>
#include <stdio.h>

#include <string>

namespace rtl::capture {
namespace {

class FakeSource final : public CallSource {
 public:
  bool LinksKernels(bool trace, bool tools) override { return trace || (tools && links_for_tools); }
  bool ReplacesHooks() override { return replaces; }
  bool RecordsAlone() const override { return alone; }
  void RuntimeReady() override { ++ready; }
  const char* description() const override { return how; }
  void Finish() override { ++finished; }
  void Stop() override { ++stopped; }
  void DisarmInChild() override { ++disarmed; }
  void BeginAnewInChild() override { ++begun_anew; }

  bool links_for_tools = false, replaces = false, alone = false;
  const char* how = "";
  int ready = 0, finished = 0, stopped = 0, disarmed = 0, begun_anew = 0;
};

class SourceListTest : public ::testing::Test {
 protected:
  void SetUp() override {
    sources_.Add(&hip_);
    sources_.Add(&rccl_);
  }
  std::string Described(size_t room) const {
    std::string text(room, '\0');
    const int used = snprintf(text.data(), room, "preload");
    sources_.Describe(text.data(), room, static_cast<size_t>(used));
    return text.c_str();
  }

  FakeSource hip_, rccl_;
  SourceList sources_;
};

TEST_F(SourceListTest, OneSourceIsEnough) {
  EXPECT_FALSE(sources_.LinkKernels(false, true));
  EXPECT_FALSE(sources_.ReplaceHooks());
  rccl_.links_for_tools = rccl_.replaces = true;
  EXPECT_TRUE(sources_.LinkKernels(false, true));
  EXPECT_TRUE(sources_.ReplaceHooks());
}

TEST_F(SourceListTest, DescribesThoseThatSeeCalls) {
  EXPECT_EQ(Described(40), "preload");
  rccl_.how = "RCCL 2.27 by its table";
  EXPECT_EQ(Described(40), "preload; RCCL 2.27 by its table");
  hip_.how = "HIP 7.2 by preload";
  EXPECT_EQ(Described(80), "preload; HIP 7.2 by preload; RCCL 2.27 by its table");
  EXPECT_EQ(Described(16), "preload; HIP 7.");
  EXPECT_EQ(Described(30), "preload; HIP 7.2 by preload; ");
}

TEST_F(SourceListTest, TellsEverySource) {
  rccl_.alone = true;
  sources_.StopLoneOnes();
  EXPECT_EQ(hip_.stopped, 0);
  EXPECT_EQ(rccl_.stopped, 1);
  sources_.RuntimeReady();
  sources_.Finish();
  sources_.Stop();
  sources_.DisarmInChild();
  sources_.BeginAnewInChild();
  for (const FakeSource* source : {&hip_, &rccl_}) {
    EXPECT_EQ(source->ready, 1);
    EXPECT_EQ(source->finished, 1);
    EXPECT_EQ(source->stopped, source->alone ? 2 : 1);
    EXPECT_EQ(source->disarmed, 1);
    EXPECT_EQ(source->begun_anew, 1);
  }
}

}  // namespace
}  // namespace rtl::capture
