// SPDX-License-Identifier: MIT
// Two engines in one process see the same kernels, and the same times of each, whichever was hooked
// first and however late one of them looks.
#include "capture/engines/other_engines.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/held_worker.h"
#include "tests/support/second_engine.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using testing::FakeHsa;
using testing::HeldWorker;
using testing::SecondEngine;
using testing::TracedHsa;
using testing::WaitUntil;

const SecondEngine& Second() {
  static const SecondEngine* const engine = [] {
    void* const library = dlopen(RTL_SECOND_ENGINE, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) ADD_FAILURE() << dlerror();
    return reinterpret_cast<GetSecondEngine>(dlsym(library, "second_engine"))();
  }();
  return *engine;
}

enum class Inner { kOurs, kTheirs };
struct Case {
  Inner inner;
  bool forward;
};

// `inner` is the one that was hooked first.
class TwoEngines : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr uint32_t kRound = 64;  // kernels
  static constexpr uint32_t kRounds = 20;

  void SetUp() override {
    ASSERT_TRUE(OtherEngines::Add(Second().exchange(OtherEngines::Own())));
    t_.options.mode = Mode::kFull;
    if (GetParam().forward) t_.options.app_signals = AppSignals::kForward;
    worker_.In(&t_.options);
    const bool first = GetParam().inner == Inner::kOurs;
    ASSERT_TRUE(!first || t_.Install().ok());
    ASSERT_TRUE(Second().install(t_.hsa.root_table(), GetParam().forward));
    ASSERT_TRUE(first || t_.Install().ok());
  }
  void TearDown() override {
    HoldInner(false);
    // As the runtime does: who came last goes first.
    if (GetParam().inner == Inner::kTheirs) t_.capture.Unload();
    Second().remove();
    t_.capture.Unload();
    OtherEngines::TEST_Forget();
  }

  void HoldInner(bool held) {
    GetParam().inner == Inner::kOurs ? worker_.Set(held) : Second().hold(held);
  }
  bool WaitForOuter(uint64_t kernels) {
    return WaitUntil([&] {
      return (GetParam().inner == Inner::kOurs ? Second().recorded() : t_.sink.dispatch_count()) >=
             kernels;
    });
  }
  void StopBoth() {
    if (GetParam().inner == Inner::kTheirs) t_.capture.Stop();
    Second().stop();
    t_.capture.Stop();
  }
  static std::vector<DispatchRecord> ByPacket(std::vector<DispatchRecord> records) {
    std::sort(records.begin(), records.end(),
              [](const DispatchRecord& a, const DispatchRecord& b) { return a.packet < b.packet; });
    return records;
  }
  void ExpectTheSame(uint64_t kernels) {
    EXPECT_EQ(t_.sink.lost(), 0u);
    EXPECT_EQ(Second().lost(), 0u);
    ASSERT_EQ(t_.sink.dispatch_count(), kernels);
    ASSERT_EQ(Second().recorded(), kernels);
    // The worker and a thread that waits both write records, so the two engines may differ in order.
    const std::vector<DispatchRecord> ours = ByPacket(t_.sink.dispatches());
    std::vector<DispatchRecord> theirs(kernels);
    for (uint64_t i = 0; i < kernels; ++i) theirs[i] = Second().dispatch(i);
    theirs = ByPacket(theirs);
    for (uint64_t i = 0; i < kernels; ++i) {
      ASSERT_EQ(ours[i].packet, theirs[i].packet);
      ASSERT_EQ(ours[i].start_ticks, theirs[i].start_ticks) << i;
      ASSERT_EQ(ours[i].end_ticks, theirs[i].end_ticks) << i;
    }
    EXPECT_EQ(t_.hsa.bad_uses(), 0u);
  }

  HeldWorker worker_;
  TracedHsa t_;
};

TEST_P(TwoEngines, ASignalOfOneIsReadByTheOtherBeforeItIsUsedAgain) {
  hsa_queue_t* const queue = t_.hsa.CreateQueue();
  const uint64_t made = t_.hsa.Calls(HsaSlot::amd_signal_create);
  HoldInner(true);
  for (uint32_t round = 1; round <= kRounds; ++round) {
    for (uint32_t i = 0; i < kRound; ++i) t_.hsa.Submit(queue, FakeHsa::Kernel(1));
    t_.hsa.CompleteAll();
    // All ends that there are: what the inner one forwards ends a little later for the outer one.
    ASSERT_TRUE(WaitForOuter(uint64_t{round} * kRound));
  }
  if (!GetParam().forward) {
    EXPECT_LT(t_.hsa.Calls(HsaSlot::amd_signal_create) - made, kRound * kRounds)
        << "none was used again: this says nothing";
  }
  HoldInner(false);
  StopBoth();
  ExpectTheSame(kRound * kRounds);
}

TEST_P(TwoEngines, TimesThatAreForwardedDoNotHideThoseOfAKernelThatTheOtherHasNotRead) {
  hsa_queue_t* const queue = t_.hsa.CreateQueue();
  const hsa_signal_t signal = t_.hsa.CreateSignal(1);
  HoldInner(true);
  t_.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  t_.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  t_.hsa.Store(signal, 2);
  for (int i = 0; i < 2; ++i) t_.hsa.Submit(queue, FakeHsa::Kernel(1, signal));
  t_.hsa.CompleteAll();
  ASSERT_TRUE(WaitUntil([&] { return FakeHsa::Value(signal) == 0; }));
  HoldInner(false);
  StopBoth();
  ExpectTheSame(3);
}

TEST_P(TwoEngines, WhatAQueueHasEndedIsKnownToBothWhenItIsDestroyed) {
  constexpr uint64_t kQueues = 50;
  for (uint64_t i = 0; i < kQueues; ++i) {
    hsa_queue_t* const queue = t_.hsa.CreateQueue();
    for (int kernel = 0; kernel < 4; ++kernel) t_.hsa.Submit(queue, FakeHsa::Kernel(1));
    t_.hsa.CompleteAll();
    ASSERT_EQ(t_.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  }
  StopBoth();
  EXPECT_EQ(t_.sink.lost(), 0u);
  EXPECT_EQ(Second().lost(), 0u);
  EXPECT_EQ(t_.sink.dispatch_count(), 4 * kQueues);
  EXPECT_EQ(Second().recorded(), 4 * kQueues);
  EXPECT_EQ(t_.hsa.bad_uses(), 0u);
}

TEST_P(TwoEngines, OneStopsAndTheOtherGoesOn) {
  hsa_queue_t* const queue = t_.hsa.CreateQueue();
  for (uint32_t i = 0; i < kRound; ++i) t_.hsa.Submit(queue, FakeHsa::Kernel(1));
  t_.hsa.CompleteAll();
  ASSERT_TRUE(WaitForOuter(kRound));
  Second().stop();
  for (uint32_t round = 0; round < kRounds; ++round) {
    for (uint32_t i = 0; i < kRound; ++i) t_.hsa.Submit(queue, FakeHsa::Kernel(1));
    t_.hsa.CompleteAll();
  }
  t_.capture.Stop();
  EXPECT_EQ(Second().recorded(), kRound);
  EXPECT_EQ(t_.sink.dispatch_count(), kRound * (kRounds + 1));
  EXPECT_EQ(t_.sink.lost() + Second().lost(), 0u);
  EXPECT_EQ(t_.hsa.bad_uses(), 0u);
}

INSTANTIATE_TEST_SUITE_P(EitherOrder, TwoEngines,
                         ::testing::Values(Case{Inner::kOurs, false}, Case{Inner::kTheirs, false},
                                           Case{Inner::kOurs, true}, Case{Inner::kTheirs, true}),
                         [](const auto& test) {
                           return std::string(test.param.inner == Inner::kOurs ? "Ours"
                                                                               : "Theirs") +
                                  (test.param.forward ? "Forward" : "InPlace");
                         });

TEST(OtherEnginesTest, AStrangerOfAnotherVersionIsNotMet) {
  static const EngineLink stranger = {kEngineLinkVersion + 1, {}, {}, {}, {}, {}, {}};
  EXPECT_FALSE(OtherEngines::Add(&stranger));
  EXPECT_FALSE(OtherEngines::Add(nullptr));
  EXPECT_EQ(OtherEngines::Exchange(&stranger), OtherEngines::Own());
  EXPECT_TRUE(OtherEngines::MayWriteTimes({64}, 1));
}

TEST(OtherEnginesTest, OnlyTheOnesBelowAreAsked) {
  static uint64_t place = 0;
  static int asked = 0;
  static const EngineLink other = {kEngineLinkVersion,
                                   [] { return place; },
                                   [](uint64_t) {
                                     ++asked;
                                     return 0;
                                   },
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  ASSERT_TRUE(OtherEngines::Add(&other));
  EXPECT_TRUE(OtherEngines::MayWriteTimes({64}, 2)) << "it is not hooked";
  place = 3;
  EXPECT_TRUE(OtherEngines::MayWriteTimes({64}, 2)) << "it is above: it waits for these times";
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(OtherEngines::NextPlace(), 4u);
  place = 1;
  EXPECT_FALSE(OtherEngines::MayWriteTimes({64}, 2));
  EXPECT_EQ(asked, 1);
  OtherEngines::TEST_Forget();
}

TEST(OtherEnginesTest, ASignalThatAnotherIsLookingAtIsPutAsideAndUsedLater) {
  constexpr uint64_t kKernels = 30;
  static std::atomic<int> refusals{100};
  static const EngineLink below = {kEngineLinkVersion,
                                   [] { return uint64_t{1}; },
                                   [](uint64_t) { return refusals.fetch_sub(1) > 0 ? 0 : 1; },
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  ASSERT_TRUE(OtherEngines::Add(&below));
  {
    TracedHsa t;
    ASSERT_TRUE(t.Install().ok());
    hsa_queue_t* const queue = t.hsa.CreateQueue();
    for (uint64_t i = 0; i < kKernels; ++i) t.hsa.Submit(queue, FakeHsa::Kernel(1));
    t.hsa.CompleteAll();
    ASSERT_TRUE(t.WaitForRecords(kKernels)) << "they are recorded whatever becomes of the signals";
    ASSERT_TRUE(WaitUntil([] { return refusals <= 0; }));
    t.capture.Stop();
    EXPECT_EQ(t.sink.lost(), 0u);
    EXPECT_EQ(t.signals_created, t.signals_destroyed);
    EXPECT_EQ(t.hsa.bad_uses(), 0u);
  }
  OtherEngines::TEST_Forget();
}

}  // namespace
}  // namespace rtl::capture
