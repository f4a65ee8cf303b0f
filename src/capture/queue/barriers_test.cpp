// SPDX-License-Identifier: MIT
// Barrier packets as events of their own, on request.
#include <gtest/gtest.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "capture/roctx/pause.h"
#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;

AqlPacket BarrierOr(std::initializer_list<hsa_signal_t> signals, hsa_signal_t completion = {}) {
  AqlPacket packet = FakeHsa::Barrier(completion);
  packet.header = HSA_PACKET_TYPE_BARRIER_OR << HSA_PACKET_HEADER_TYPE;
  std::copy(signals.begin(), signals.end(), packet.barrier.dep_signal);
  return packet;
}

AqlPacket BarrierValue(hsa_signal_t signal) {
  hsa_amd_barrier_value_packet_t value = {};
  value.header.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE;
  value.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
  value.signal = signal;
  AqlPacket packet;
  memcpy(&packet, &value, sizeof packet);
  return packet;
}

class BarriersTest : public ::testing::Test {
 protected:
  void Start(Mode mode, bool barriers = true,
             const support::TableLayout& runtime = support::kRocm10) {
    t_ = std::make_unique<TracedHsa>(runtime);
    t_->options.mode = mode;
    t_->options.barriers = barriers;
    ASSERT_TRUE(t_->Install().ok());
    queue_ = t_->hsa.CreateQueue();
  }
  void Finish() {
    t_->hsa.CompleteAll();
    t_->capture.Stop();
    EXPECT_TRUE(t_->Conserved());
    EXPECT_EQ(t_->hsa.bad_uses(), 0u);
  }
  uint64_t Submitted() const { return t_->sink.submitted(EventKind::kBarrier); }
  uint64_t Loss(Loss why) const { return t_->sink.loss(why, EventKind::kBarrier); }

  std::unique_ptr<TracedHsa> t_;
  hsa_queue_t* queue_ = nullptr;
};

TEST_F(BarriersTest, AreNotRecordedUnlessRequested) {
  Start(Mode::kFull, false);
  const AqlPacket barrier = FakeHsa::Barrier();
  t_->hsa.Submit(queue_, barrier);
  t_->hsa.SubmitBatch(queue_, {barrier, FakeHsa::Kernel(1), barrier});
  const std::vector<AqlPacket> written = t_->hsa.History(queue_);
  EXPECT_EQ(memcmp(&written[0], &barrier, sizeof barrier), 0);
  EXPECT_EQ(memcmp(&written[1], &barrier, sizeof barrier), 0);
  Finish();
  EXPECT_EQ(Submitted(), 0u);
  EXPECT_EQ(t_->sink.barriers().size(), 0u);
  EXPECT_EQ(t_->sink.dispatches().size(), 1u);
}

TEST_F(BarriersTest, OfEachKindHaveTheirDependenciesAndTimes) {
  Start(Mode::kStandard);
  const hsa_signal_t one = t_->hsa.CreateSignal(1);
  const hsa_signal_t two = t_->hsa.CreateSignal(1);
  const hsa_signal_t own = t_->hsa.CreateSignal(1);
  t_->hsa.Submit(queue_, FakeHsa::Kernel(1));
  t_->hsa.Submit(queue_, FakeHsa::Barrier(own));
  t_->hsa.Submit(queue_, BarrierOr({one, {}, two}));
  t_->hsa.Submit(queue_, BarrierValue(one));
  Finish();
  EXPECT_EQ(FakeHsa::Value(own), 0) << "the application's signal is completed once";
  EXPECT_NE(FakeHsa::EndOf(own), 0u) << "and has the barrier's times";
  std::vector<BarrierRecord> records = t_->sink.barriers();
  ASSERT_EQ(records.size(), 3u);
  // A barrier's record may come before that of another barrier that ends during the worker's scan.
  std::sort(records.begin(), records.end(),
            [](const auto& a, const auto& b) { return a.packet < b.packet; });
  EXPECT_EQ(records[0].barrier + records[1].barrier + records[2].barrier, 1u + 2 + 3);
  const BarrierKind kinds[] = {BarrierKind::kAnd, BarrierKind::kOr, BarrierKind::kValue};
  const uint32_t dependencies[] = {0, 2, 1};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(records[i].kind, kinds[i]);
    EXPECT_EQ(records[i].dependencies, dependencies[i]);
    EXPECT_EQ(records[i].packet, i + 1) << "the kernel was packet 0";
    EXPECT_EQ(records[i].queue, 1u);
    EXPECT_EQ(records[i].end, FakeHsa::SystemTime(records[i].end_ticks));
    EXPECT_EQ(records[i].end_ticks, records[i].start_ticks + 2);
    EXPECT_EQ(records[i].flags, i == 0 ? kDispatchFlagOwnSignal : 0);
  }
  EXPECT_EQ(t_->sink.dispatches().size(), 1u);
  EXPECT_EQ(Submitted(), 3u);
  EXPECT_EQ(t_->Submitted(), 1u) << "a barrier is not a kernel";
}

TEST_F(BarriersTest, AreNotConfusedWithOtherPackets) {
  Start(Mode::kStandard);
  t_->hsa.Submit(queue_, FakeHsa::Vendor(1));
  Finish();
  EXPECT_EQ(Submitted(), 0u);
  EXPECT_EQ(t_->other_packets, 1u);
}

TEST_F(BarriersTest, InABatchAreRecordedWithItsKernels) {
  Start(Mode::kFull);
  const hsa_signal_t own = t_->hsa.CreateSignal(2);  // above 1, so that it is forwarded
  t_->hsa.SubmitBatch(queue_, {FakeHsa::Barrier(own), FakeHsa::Kernel(1), BarrierOr({own})});
  t_->hsa.CompleteAll();
  EXPECT_TRUE(support::WaitUntil([&] { return FakeHsa::Value(own) == 1; }));
  Finish();
  std::vector<uint64_t> packets;  // the forwarded barrier may be overtaken
  for (const BarrierRecord& record : t_->sink.barriers()) packets.push_back(record.packet);
  std::sort(packets.begin(), packets.end());
  EXPECT_EQ(packets, (std::vector<uint64_t>{0, 2}));
  EXPECT_EQ(t_->sink.dispatches().size(), 1u);
}

TEST_F(BarriersTest, OfABatchAreOmittedWithTheBatch) {
  Start(Mode::kStandard, true, support::kRocm61);
  t_->hsa.SubmitBatch(queue_, {FakeHsa::Barrier(), FakeHsa::Kernel(1), BarrierOr({})});
  Finish();
  EXPECT_EQ(Submitted(), 2u);
  EXPECT_EQ(Loss(Loss::kBatch), 2u);
  EXPECT_EQ(t_->sink.loss(Loss::kBatch), 1u);
}

TEST_F(BarriersTest, AndKernelsOfAPauseAreOnlyCounted) {
  Start(Mode::kFull);
  const hsa_signal_t own = t_->hsa.CreateSignal(1);
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  const AqlPacket kernel = FakeHsa::Kernel(1, own);
  t_->hsa.Submit(queue_, kernel);
  t_->hsa.Submit(queue_, FakeHsa::Barrier());
  t_->hsa.SubmitBatch(queue_, {FakeHsa::Barrier(), FakeHsa::Kernel(1), FakeHsa::Kernel(1)});
  Pause::End(Pause::kAllThreads);
  const AqlPacket written = t_->hsa.History(queue_)[0];
  EXPECT_EQ(memcmp(&written, &kernel, sizeof kernel), 0) << "unchanged";
  t_->hsa.Submit(queue_, FakeHsa::Kernel(1));
  Finish();
  EXPECT_EQ(t_->sink.loss(Loss::kPaused), 3u);
  EXPECT_EQ(Loss(Loss::kPaused), 2u);
  EXPECT_EQ(t_->sink.dispatches().size(), 1u);
}

TEST_F(BarriersTest, AreRecordedWithoutASignalOnlyInModeLite) {
  Start(Mode::kLite);
  const hsa_signal_t own = t_->hsa.CreateSignal(1);
  const AqlPacket carried = FakeHsa::Barrier(own);
  t_->hsa.Submit(queue_, carried);
  t_->hsa.Submit(queue_, FakeHsa::Barrier());
  const AqlPacket written = t_->hsa.History(queue_)[0];
  EXPECT_EQ(memcmp(&written, &carried, sizeof carried), 0);
  Finish();
  EXPECT_EQ(Loss(Loss::kHasSignal), 1u);
  EXPECT_EQ(t_->sink.barriers().size(), 1u);
}

TEST_F(BarriersTest, ThatAreLostHaveTheirOwnCause) {
  Start(Mode::kStandard);
  t_->hsa.FailAll(HsaSlot::signal_create);
  t_->hsa.FailAll(HsaSlot::amd_signal_create);
  uint64_t submitted = 0;
  while (Loss(Loss::kNoSignal) == 0 && submitted < 10'000) {
    t_->hsa.Submit(queue_, FakeHsa::Barrier());
    ++submitted;
  }
  t_->hsa.FailNone(HsaSlot::signal_create);
  t_->hsa.FailNone(HsaSlot::amd_signal_create);
  t_->hsa.CompleteAll();
  EXPECT_TRUE(support::WaitUntil(
      [&] { return t_->sink.recorded(EventKind::kBarrier) == submitted - Loss(Loss::kNoSignal); }));
  t_->sink.SetFull(true);
  t_->hsa.Submit(queue_, FakeHsa::Barrier());
  t_->hsa.CompleteAll();
  EXPECT_TRUE(support::WaitUntil([&] { return Loss(Loss::kSpoolFull) == 1; }));
  t_->sink.SetFull(false);
  t_->hsa.Submit(queue_, FakeHsa::Barrier());
  EXPECT_EQ(t_->hsa.DestroyQueue(queue_), HSA_STATUS_SUCCESS);
  t_->capture.Stop();
  EXPECT_EQ(Loss(Loss::kQueueDestroyed), 1u);
  EXPECT_EQ(Submitted(), submitted + 2);
  EXPECT_TRUE(t_->Conserved());
  EXPECT_EQ(t_->sink.lost(), 0u) << "none of them is a kernel";
}

TEST_F(BarriersTest, OfAForkedChildAreCounted) {
  Start(Mode::kFull);
  const pid_t child = fork();
  if (child == 0) {
    t_->capture.DisarmInChild();
    t_->hsa.Submit(queue_, FakeHsa::Barrier());
    t_->hsa.SubmitBatch(queue_, {FakeHsa::Barrier(), FakeHsa::Kernel(1)});
    const bool counted = Submitted() == 2 && Loss(Loss::kForked) == 2;
    _exit(counted && t_->sink.loss(Loss::kForked) == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  Finish();
}

}  // namespace
}  // namespace rtl::capture
