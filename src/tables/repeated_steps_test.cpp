// SPDX-License-Identifier: MIT
#include "tables/repeated_steps.h"

#include <gtest/gtest.h>

namespace rtl::tables {
namespace {

constexpr uint64_t kApart = 1000;  // ns between two submissions

// Kernels 1 2 2 ... 2 3, a step of `kernels`, and so on; each is submitted after the one before it.
class RepeatedSteps_ : public testing::Test {
 protected:
  void AddKernel(int64_t name) { steps_.Add(time_ += kApart, name); }
  void AddStep(size_t kernels) {
    AddKernel(1);
    for (size_t i = 2; i < kernels; ++i) AddKernel(2);
    AddKernel(3);
  }
  // "0@1000 1@5000 -@9000"
  std::string Begins() {
    std::string text;
    for (const RepeatedSteps::Begin& begin : steps_.TakeBegins()) {
      text += text.empty() ? "" : " ";
      text +=
          (begin.number ? std::to_string(*begin.number) : "-") + "@" + std::to_string(begin.time);
    }
    return text;
  }

  RepeatedSteps steps_;
  uint64_t time_ = 0;
};

TEST_F(RepeatedSteps_, WaitUntilAllKernelsOfAProcessAreKnown) {
  for (int i = 0; i < 4; ++i) AddStep(4);
  EXPECT_EQ(Begins(), "");
  EXPECT_FALSE(steps_.IsDecided(kApart));
  steps_.Decide();
  EXPECT_TRUE(steps_.IsDecided(time_));
  EXPECT_EQ(Begins(), "0@1000 1@5000 2@9000 3@13000");
}

TEST_F(RepeatedSteps_, ComeAsTheyBeginWhenEnoughKernelsHaveBeenSeen) {
  constexpr size_t kKernels = RepeatedSteps::kWaiting / 8;
  for (int i = 0; i < 8; ++i) AddStep(kKernels);
  EXPECT_TRUE(steps_.IsDecided(time_));
  EXPECT_EQ(steps_.TakeBegins().size(), 8u);
  AddStep(kKernels);
  const std::vector<RepeatedSteps::Begin> next = steps_.TakeBegins();
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].number, 8);
  EXPECT_TRUE(steps_.IsDecided(time_));
}

TEST_F(RepeatedSteps_, MayBeginAfterKernelsThatDoNotRepeat) {
  for (size_t i = 0; i < RepeatedSteps::kWaiting; ++i) AddKernel(static_cast<int64_t>(100 + i));
  EXPECT_TRUE(steps_.IsDecided(time_));
  EXPECT_EQ(Begins(), "");
  // What repeats itself is most of what was seen only with the second part of them.
  for (size_t i = 0; i < 2 * RepeatedSteps::kWaiting / 64; ++i) AddStep(64);
  EXPECT_EQ(steps_.TakeBegins().size(), RepeatedSteps::kWaiting / 64);
}

TEST_F(RepeatedSteps_, ALongTimeIsEnoughForFewKernels) {
  for (int i = 0; i < 4; ++i) AddStep(4);
  time_ += RepeatedSteps::kWaitNs;
  AddKernel(1);
  EXPECT_TRUE(steps_.IsDecided(time_));
  EXPECT_EQ(steps_.TakeBegins().size(), 4u);  // each begins with the kernel that was the last
}

TEST_F(RepeatedSteps_, WhatFollowsTheLastIsNoPartOfIt) {
  for (int i = 0; i < 4; ++i) AddStep(4);
  for (int i = 0; i < 8; ++i) AddKernel(2);
  steps_.Decide();
  EXPECT_EQ(Begins(), "0@1000 1@5000 2@9000 3@13000 -@21000");
  AddStep(4);
  EXPECT_EQ(Begins(), "4@25000");
}

TEST_F(RepeatedSteps_, AreNotFoundWhereNothingRepeats) {
  for (int i = 0; i < 100; ++i) AddKernel(i * i % 97);
  steps_.Decide();
  EXPECT_EQ(Begins(), "");
  EXPECT_TRUE(steps_.IsDecided(time_));
}

}  // namespace
}  // namespace rtl::tables
