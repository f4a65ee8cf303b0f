// SPDX-License-Identifier: MIT
// session_parties.h: the two parties of a session in memory: the output of the trace, and the tools.
//
// Threads    records and watchers: any
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "capture/session/tool_side.h"
#include "capture/session/trace_output.h"
#include "tests/support/memory_sink.h"

namespace rtl::capture {

class MemoryOutput final : public TraceOutput {
 public:
  Status Open(const Config& config) override {
    ++opens;
    if (while_opening != nullptr) while_opening();
    return refuse ? Status::Error("no space") : Status::Ok();
  }
  RecordSink* sink() override { return &records; }
  SubmittedSlots submitted_slots() override { return {}; }
  CaptureCounters counters() override { return {}; }
  void Describe(const Facts& facts) override {
    loaded_by = facts.loaded_by;
    runtime = facts.runtime;
    mode = facts.mode;
    mode_reason = facts.mode_reason;
  }
  void SayRefused(const Config&, const char* why) override { refusal = why; }
  void Maintain() override { ++upkeeps; }
  bool CountsOnly() const override { return counts_only; }
  bool TakesMore() const override { return takes_more; }
  void Finish() override { ++finishes; }

  support::MemorySink records;
  std::atomic<int> opens{0}, upkeeps{0}, finishes{0};
  bool refuse = false, counts_only = false, takes_more = false;
  void (*while_opening)() = nullptr;
  std::string loaded_by, runtime, mode, mode_reason, refusal;
};

// A tool that gets calls of one function.
class FakeCallListener final : public HsaCallListener {
 public:
  void RuntimeComes(void*, const HsaSlots&) override { watching = true; }
  void RuntimeGoes() override { watching = false; }
  bool Asks(uint32_t asked) override { return asked == function; }
  uint32_t Wants(uint32_t) override { return 1; }
  void Begin(HsaCall*) override { ++begun; }
  void End(HsaCall* call, uint64_t) override { ended.push_back(*call); }

  uint32_t function = kIndexOf_hsa_signal_create;
  bool watching = false;
  size_t begun = 0;
  std::vector<HsaCall> ended;
};

class FakeTools final : public ToolSide, public SubmissionWatcher, public CodeObjectWatcher {
 public:
  RecordSink* sink() override { return &records; }
  CodeObjectWatcher* code_objects() override { return this; }
  SubmissionWatcher* submissions() override { return this; }
  CounterUser* counters() override { return counter_user; }
  bool WantsSamples() override { return wants_samples; }
  void RuntimeReady(const HsaApi&, void* root_table, PcSampler*) override { ready = root_table; }
  void RuntimeGone() override { ready = nullptr; }
  HipCallListener* hip_calls() const override { return nullptr; }
  RcclListener* rccl_calls() const override { return nullptr; }
  const Demand* demand() const override { return nullptr; }
  HsaCallListener* hsa_calls() override { return &calls; }

  uint32_t KernelSubmitted(const DispatchRecord&, const QueueIdentity&) override {
    std::lock_guard lock(mutex_);
    return ++submitted_;
  }
  void KernelEnded(uint32_t ticket, const DispatchRecord& kernel, const QueueIdentity&) override {
    std::lock_guard lock(mutex_);
    EXPECT_TRUE(ended_.emplace(ticket, kernel).second) << "told twice";
  }
  uint32_t CopySubmitted(const CopyRecord&) override { return 0; }
  void CopyEnded(uint32_t, const CopyRecord&) override {}
  void Lost(uint32_t) override { ++lost; }
  void PacketsReserved(uint64_t, uint64_t) override {}
  void PacketShown(uint64_t) override {}
  void Loaded(const HsaApi&, hsa_executable_t, uint64_t) override {}
  void Unloading(hsa_executable_t) override {}
  void AllGone() override { ++runtimes_gone; }

  size_t submitted() const {
    std::lock_guard lock(mutex_);
    return submitted_;
  }
  size_t ended() const {
    std::lock_guard lock(mutex_);
    return ended_.size();
  }
  DispatchRecord first() const {
    std::lock_guard lock(mutex_);
    return ended_.at(1);
  }

  support::MemorySink records;
  FakeCallListener calls;
  CounterUser* counter_user = nullptr;
  bool wants_samples = false;
  void* ready = nullptr;  // the runtime's table
  int runtimes_gone = 0;
  std::atomic<int> lost{0};

 private:
  mutable std::mutex mutex_;
  uint32_t submitted_ = 0;
  std::map<uint32_t, DispatchRecord> ended_;
};

}  // namespace rtl::capture
