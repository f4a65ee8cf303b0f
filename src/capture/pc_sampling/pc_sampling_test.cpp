// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <string.h>

#include <vector>

#include "capture/hsa/queue_identity.h"
#include "capture/pc_sampling/trace_pc_samples.h"
#include "spec/api/hsa_tables.h"

namespace rtl::capture {
namespace {

TEST(TracePcSamplesTest, ReadsIntervals) {
  const std::pair<const char*, bool> cases[] = {
      {"100us", true}, {"1ms", true},  {"60s", true}, {"7", true},         {"0us", false},
      {"us", false},   {"1ns", false}, {"", false},   {"61000000", false}, {"10 us", false}};
  for (const auto& [text, good] : cases) {
    TracePcSamples samples;
    EXPECT_EQ(samples.Parse(text).ok(), good) << text;
    EXPECT_EQ(samples.any(), good) << text;
  }
}

// Counts the reported samples, and accepts or refuses records.
class CountingSink final : public RecordSink {
 public:
  bool Write(const void*, size_t, const char*, size_t) override { return has_room; }
  void CountSubmitted(EventKind, uint64_t events) override { submitted += events; }
  void CountRecorded(EventKind, uint64_t events) override { recorded += events; }
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    if (kind == EventKind::kPcSample) losses[static_cast<size_t>(why)] += events;
  }
  uint64_t lost(Loss why) const { return losses[static_cast<size_t>(why)]; }
  bool has_room = true;
  uint64_t submitted = 0, recorded = 0;
  uint64_t losses[kLossCount] = {};
};

TEST(TracePcSamplesTest, RecordsEverySampleOrCountsItAsLost) {
  CountingSink sink;
  PcSampler sampler;
  TracePcSamples samples;
  samples.Open(&sink, &sampler);
  samples.Sampled({});
  sink.has_room = false;
  samples.Sampled({});
  samples.SamplesLost(1, 5);
  EXPECT_EQ(sink.submitted, 7u);
  EXPECT_EQ(sink.recorded, 1u);
  EXPECT_EQ(sink.lost(Loss::kSpoolFull), 1u);
  EXPECT_EQ(sink.lost(Loss::kSampleBuffer), 5u);
}

TEST(PcsApiTest, RejectsATableThatIsTooOldOrTooShort) {
  using namespace hsa_tables;
  struct Table {
    uint32_t major = 1, bytes = kVersionBytes + kPcSamplingSlots * kSlotBytes, step = 0, rest = 0;
    void* slots[kPcSamplingSlots];
  } table;
  for (void*& slot : table.slots) slot = &table;
  struct Root {
    uint32_t major = 3, bytes = 64, step = 1, rest = 0;
    void* tables[6] = {};
  } root;
  PcsApi api;
  EXPECT_FALSE(api.Open(&root));  // ROCm 6.1 to 6.3: no table
  root.tables[kRootPcSamplingSlot] = &table;
  EXPECT_TRUE(api.Open(&root));
  table.slots[5] = nullptr;
  EXPECT_FALSE(api.Open(&root));
  table.slots[5] = &table;
  table.bytes -= kSlotBytes;
  EXPECT_FALSE(api.Open(&root));
  table.bytes += kSlotBytes;
  root.bytes = 56;
  EXPECT_FALSE(api.Open(&root));
}

}  // namespace

// A runtime with one GPU. The test delivers its samples.
struct FakeRuntime {
  static inline FakeRuntime* now = nullptr;
  PcsDataReady ready = nullptr;
  void* user = nullptr;
  int sessions = 0, started = 0, flushes = 0;
  hsa_status_t refuse = HSA_STATUS_SUCCESS;
  std::vector<PcsHostTrapSample> waiting;
  std::vector<PcsHostTrapSample> late;  // taken just before the session stops
  uint64_t written = 0;
  // A new session fills the first buffer, but the buffer to empty next stays the same.
  int filled = 0, emptied = 0;
  bool stuck = false;  // a flush waited for samples in the other buffer

  FakeRuntime() { now = this; }
  void HandOver(size_t lost = 0) {
    const size_t bytes = waiting.size() * sizeof waiting[0];
    if (ready != nullptr && (bytes != 0 || lost != 0)) ready(user, bytes, lost, Copy, this);
    waiting.clear();
  }
  static hsa_status_t Copy(void* context, size_t bytes, void* to) {
    memcpy(to, static_cast<FakeRuntime*>(context)->waiting.data(), bytes);
    return HSA_STATUS_SUCCESS;
  }
  static hsa_status_t Offer(hsa_agent_t, hsa_status_t (*visit)(const PcsConfiguration*, void*),
                            void* data) {
    const PcsConfiguration offered = {PcsMethod::kHostTrap, PcsUnits::kMicroseconds, 1, 1000, 0};
    return visit(&offered, data);
  }
  static hsa_status_t Create(hsa_agent_t, PcsMethod, PcsUnits, size_t, size_t, size_t,
                             PcsDataReady ready, void* user, uint64_t* session) {
    if (now->refuse != HSA_STATUS_SUCCESS) return now->refuse;
    now->ready = ready;
    now->user = user;
    *session = 1;
    now->filled = 0;
    ++now->sessions;
    return HSA_STATUS_SUCCESS;
  }
  static hsa_status_t Destroy(uint64_t) { return --now->sessions, HSA_STATUS_SUCCESS; }
  static hsa_status_t Start(uint64_t) { return ++now->started, HSA_STATUS_SUCCESS; }
  static hsa_status_t Stop(uint64_t) {
    now->waiting.insert(now->waiting.end(), now->late.begin(), now->late.end());
    now->late.clear();
    return --now->started, HSA_STATUS_SUCCESS;
  }
  static hsa_status_t Flush(uint64_t) {
    ++now->flushes;
    if (!now->waiting.empty() && now->filled != now->emptied) now->stuck = true;
    now->filled = now->emptied = 1 - now->emptied;
    now->HandOver();
    return HSA_STATUS_SUCCESS;
  }
};

namespace {

class Heard final : public PcSampleUser {
 public:
  void Sampled(const PcSample& sample) override { samples.push_back(sample); }
  void SamplesLost(uint32_t, uint64_t count) override { lost += count; }
  std::vector<PcSample> samples;
  uint64_t lost = 0;
};

}  // namespace

// Sets the entries of a runtime's tables.
class PcSamplerTest : public ::testing::Test {
 protected:
  PcSamplerTest() {
    api_.iterate_agents = [](hsa_status_t (*visit)(hsa_agent_t, void*), void* data) {
      return visit(hsa_agent_t{9}, data);
    };
    api_.agent_get_info = [](hsa_agent_t, hsa_agent_info_t, void* value) {
      const auto gpu = HSA_DEVICE_TYPE_GPU;
      memcpy(value, &gpu, sizeof gpu);
      return HSA_STATUS_SUCCESS;
    };
    api_.queue_load_write_index_scacquire = [](const hsa_queue_t*) {
      return FakeRuntime::now->written;
    };
    PcsApi pcs;
    pcs.iterate_configuration = FakeRuntime::Offer;
    pcs.create = FakeRuntime::Create;
    pcs.destroy = FakeRuntime::Destroy;
    pcs.start = FakeRuntime::Start;
    pcs.stop = FakeRuntime::Stop;
    pcs.flush = FakeRuntime::Flush;
    sampler_.OpenWith(
        api_, &pcs, PcSampler::kSmallBufferBytes, false,
        [](const void*, hsa_agent_t) { return kAgent; }, nullptr);
    hsa_queue_.doorbell_signal.handle = reinterpret_cast<uint64_t>(&doorbell_);
  }
  ~PcSamplerTest() override { sampler_.Close(); }

  // With the doorbell below, which is the sixth in its page.
  static PcsHostTrapSample Raw(uint64_t packet, uint64_t doorbell = 5) {
    PcsHostTrapSample raw = {};
    raw.pc = 0x1000;
    raw.correlation = doorbell << kPcsDoorbellShift | packet;
    return raw;
  }

  static constexpr uint32_t kAgent = 2, kQueue = 4;
  FakeRuntime runtime_;
  HsaApi api_;
  PcSampler sampler_;
  uint64_t doorbell_[2] = {0, 0x7f0000000000 + 5 * 8};
  hsa_queue_t hsa_queue_ = {};
};

TEST_F(PcSamplerTest, SharesASessionAmongUsersOfTheSameInterval) {
  Heard first, second;
  ASSERT_TRUE(sampler_.Begin(&first, kAgent, 100).ok());
  ASSERT_TRUE(sampler_.Begin(&second, kAgent, 100).ok());
  EXPECT_EQ(runtime_.sessions, 1);
  const Status other = sampler_.Begin(&second, kAgent, 200);
  EXPECT_STREQ(other.message(), "the GPU is sampled every 100 us already");
  runtime_.waiting = {Raw(1)};
  runtime_.HandOver(3);
  EXPECT_EQ(first.samples.size(), 1u);
  EXPECT_EQ(second.samples.size(), 1u);
  EXPECT_EQ(first.lost, 3u);
  sampler_.End(&first, kAgent);
  EXPECT_EQ(runtime_.sessions, 1);
  runtime_.waiting = {Raw(2), Raw(3)};  // samples that arrive when the last session ends
  sampler_.End(&second, kAgent);
  EXPECT_EQ(first.samples.size(), 1u);
  EXPECT_EQ(second.samples.size(), 3u);
  EXPECT_EQ(runtime_.sessions, 0);
  EXPECT_EQ(runtime_.started, 0);
}

// The first session leaves the second buffer as the next one to empty.
TEST_F(PcSamplerTest, DoesNotWaitForTheBufferOfTheSessionBefore) {
  for (int flushes = 0; flushes < 3; ++flushes) {
    Heard heard;
    ASSERT_TRUE(sampler_.Begin(&heard, kAgent, 100).ok());
    for (int i = 0; i < flushes; ++i) sampler_.Flush();
    runtime_.waiting = {Raw(1)};
    sampler_.End(&heard, kAgent);
    EXPECT_EQ(heard.samples.size(), 1u);
    EXPECT_FALSE(runtime_.stuck) << flushes;
  }
}

TEST_F(PcSamplerTest, DeliversSamplesUntilTheSessionStops) {
  Heard heard;
  ASSERT_TRUE(sampler_.Begin(&heard, kAgent, 100).ok());
  runtime_.waiting = {Raw(1)};
  runtime_.late = {Raw(2), Raw(3)};
  sampler_.End(&heard, kAgent);
  EXPECT_EQ(heard.samples.size(), 3u);
}

TEST_F(PcSamplerTest, ReportsWhyItCannotSample) {
  Heard heard;
  EXPECT_STREQ(sampler_.Begin(&heard, kAgent, 5000).message(),
               "an interval of 5000 us is not between 1 and 1000");
  EXPECT_STREQ(sampler_.Begin(&heard, kAgent + 1, 100).message(), "there is no such GPU");
  runtime_.refuse = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  EXPECT_STREQ(sampler_.Begin(&heard, kAgent, 100).message(), "the runtime returned status 0x1008");
  runtime_.refuse = HSA_STATUS_SUCCESS;
  EXPECT_TRUE(sampler_.Begin(&heard, kAgent, 100).ok());  // the failure leaves nothing behind
}

TEST_F(PcSamplerTest, FindsTheQueueAndPacketOfASample) {
  Heard heard;
  sampler_.QueueMade({kQueue, kAgent, 0, {9}}, hsa_queue_);
  ASSERT_TRUE(sampler_.Begin(&heard, kAgent, 100).ok());
  constexpr uint64_t kTurn = uint64_t{1} << kPcsPacketBits;
  runtime_.written = 3 * kTurn + 10;
  runtime_.waiting = {Raw(7), Raw(kTurn - 1), Raw(7, 6)};
  sampler_.Flush();
  ASSERT_EQ(heard.samples.size(), 3u);
  EXPECT_EQ(heard.samples[0].queue, kQueue);
  EXPECT_EQ(heard.samples[0].packet, 3 * kTurn + 7);
  EXPECT_EQ(heard.samples[1].packet, 3 * kTurn - 1);  // in the turn before
  EXPECT_EQ(heard.samples[2].queue, 0u);              // another doorbell
}

TEST_F(PcSamplerTest, DeliversSamplesOfAQueueBeforeItIsDestroyed) {
  Heard heard;
  sampler_.QueueMade({kQueue, kAgent, 0, {9}}, hsa_queue_);
  ASSERT_TRUE(sampler_.Begin(&heard, kAgent, 100).ok());
  runtime_.written = 8;
  runtime_.waiting = {Raw(7)};
  sampler_.QueueGone({kQueue, kAgent, 0, {9}});
  ASSERT_EQ(heard.samples.size(), 1u);
  EXPECT_EQ(heard.samples[0].queue, kQueue);
  runtime_.written = 0;  // the queue must not be read any more
  runtime_.waiting = {Raw(6)};
  sampler_.Flush();
  EXPECT_EQ(heard.samples[1].packet, 6u);
  sampler_.QueueMade({kQueue + 1, kAgent, 0, {9}}, hsa_queue_);  // the doorbell is reused
  runtime_.written = 1;
  runtime_.waiting = {Raw(0)};
  sampler_.Flush();
  EXPECT_EQ(heard.samples[2].queue, kQueue + 1);
}

}  // namespace rtl::capture
