// SPDX-License-Identifier: MIT
#include "capture/hooks/hsa_call_hooks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <initializer_list>
#include <set>
#include <vector>

#include "capture/hip/open_call.h"
#include "capture/hip/undescribed_calls.h"
#include "capture/hooks/scratch_events.h"
#include "capture/hsa/hsa_slots.h"
#include "capture/roctx/pause.h"
#include "model/hsa_calls.h"
#include "tests/support/memory_sink.h"

namespace rtl::capture {
namespace {

using support::MemorySink;

constexpr uint64_t kPool = 0x51, kAddress = 0x7000;

hsa_status_t IterateOneAgent(hsa_status_t (*each)(hsa_agent_t, void*), void* data) {
  return each({0x9}, data);
}
hsa_status_t IterateRegions(hsa_agent_t, hsa_status_t (*each)(hsa_region_t, void*), void* data) {
  return each({kPool}, data);
}
uint64_t AddIndex(const hsa_queue_t*, uint64_t value) { return value + 40; }
void Store(hsa_signal_t, hsa_signal_value_t) {}
hsa_status_t Allocate(hsa_region_t, size_t bytes, void** out) {
  if (bytes == 0) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  *out = reinterpret_cast<void*>(kAddress);
  return HSA_STATUS_SUCCESS;
}
hsa_status_t Free(void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t FromName(const char*, hsa_isa_t* isa) {
  isa->handle = 0x17;
  return HSA_STATUS_SUCCESS;
}

// As a runtime lays them out:  version | slot 0 | slot 1 | ...
struct FakeTable {
  uint32_t major = 2, bytes = sizeof(FakeTable), step = 0, reserved = 0;
  void* slots[128] = {};
};

class HsaCallHooksTest : public ::testing::Test {
 protected:
  HsaCallHooksTest() {
    root_.slots[0] = &core_;
    Put(kIndexOf_hsa_iterate_agents, IterateOneAgent);
    Put(kIndexOf_hsa_agent_iterate_regions, IterateRegions);
    Put(kIndexOf_hsa_queue_add_write_index_relaxed, AddIndex);
    Put(kIndexOf_hsa_signal_store_relaxed, Store);
    Put(kIndexOf_hsa_memory_allocate, Allocate);
    Put(kIndexOf_hsa_memory_free, Free);
    Put(kIndexOf_hsa_isa_from_name, FromName);
  }
  ~HsaCallHooksTest() override { hooks_.Remove(); }

  template <typename F>
  void Put(uint32_t index, F* function) {
    *HsaSlots(&root_).Of(index) = reinterpret_cast<void*>(function);
  }
  template <typename F>
  F* In(uint32_t index, F*) {
    return HsaSlots(&root_).Get<F*>(index);
  }
  void Install(bool calls, bool allocations) {
    HsaCallHooks::Services services;
    services.sink = &sink_;
    services.clock = &clock_;
    services.calls = calls;
    services.allocations = allocations;
    services.agent_number = [](const void*, hsa_agent_t agent) {
      return static_cast<uint32_t>(agent.handle);
    };
    hooks_.Record(services);
    hooks_.Install(&root_);
  }

  FakeTable root_, core_;
  MemorySink sink_;
  FastClock clock_;
  // One object for all tests, because late threads may use it at any time.
  static HsaCallHooks hooks_;
};

HsaCallHooks HsaCallHooksTest::hooks_;

TEST_F(HsaCallHooksTest, RecordsACallWithItsArgumentsAndItsResult) {
  Install(true, false);
  EXPECT_EQ(In(kIndexOf_hsa_queue_add_write_index_relaxed, AddIndex)(nullptr, 2), 42u);
  In(kIndexOf_hsa_signal_store_relaxed, Store)({0x70}, -1);
  const auto events = sink_.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].record.kind, EventKind::kHsaCall);
  EXPECT_STREQ(OperationName(EventKind::kHsaCall, events[0].record.operation),
               "hsa_queue_add_write_index_relaxed");
  EXPECT_EQ(events[0].record.slots, 2);
  EXPECT_EQ(events[0].value(0), 42u);
  EXPECT_EQ(events[0].value(2), 2u);
  EXPECT_LE(events[0].record.start, events[0].record.end);
  EXPECT_EQ(events[1].value(2), uint64_t(-1));
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 2u);
}

TEST_F(HsaCallHooksTest, RecordsTextsAndOutputs) {
  Install(true, false);
  hsa_isa_t isa = {};
  EXPECT_EQ(In(kIndexOf_hsa_isa_from_name, FromName)("gfx906", &isa), HSA_STATUS_SUCCESS);
  const auto event = sink_.events().at(0);
  EXPECT_EQ(event.record.slots, 3);
  EXPECT_NE(event.record.flags & kApiFlagOutputs, 0);
  EXPECT_EQ(event.value(1), 6u);
  EXPECT_EQ(event.value(3), 0x17u);
  EXPECT_EQ(event.payload.substr(32), "gfx906");
  EXPECT_EQ(In(kIndexOf_hsa_isa_from_name, FromName)(nullptr, &isa), HSA_STATUS_SUCCESS);
  EXPECT_EQ(sink_.events().at(1).value(1), kNullText);
}

uint64_t NewFunction(uint64_t a, uint64_t b, double c) { return a + b + static_cast<uint64_t>(c); }

TEST_F(HsaCallHooksTest, CountsCallsOfFunctionsThatAreNotDescribed) {
  constexpr uint32_t kNew = 120;  // far behind the described ones
  FakeTable amd;
  root_.slots[1] = &amd;
  void* const own = reinterpret_cast<void*>(&NewFunction);
  amd.slots[kNew] = own;
  const auto call = [&amd] {
    return reinterpret_cast<decltype(&NewFunction)>(amd.slots[kNew])(1, 2, 39.0);
  };
  Install(false, true);
  EXPECT_EQ(amd.slots[kNew], own) << "no calls are recorded";
  Install(true, false);
  EXPECT_EQ(amd.slots[kNew - 1], nullptr);
  EXPECT_EQ(call(), 42u);
  EXPECT_EQ(call(), 42u);
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 2u);
  EXPECT_EQ(sink_.loss(Loss::kUndescribed, EventKind::kHsaCall), 2u);
  EXPECT_TRUE(sink_.events().empty());
  char text[64];
  const auto name_of = [](uint32_t number) -> const char* { return number == kNew ? "new" : ""; };
  UndescribedCalls::Describe(UndescribedCalls::Api::kHsa, name_of, text, sizeof text);
  EXPECT_STREQ(text, "new (2 calls)");
  hooks_.Remove();
  EXPECT_EQ(amd.slots[kNew], own);
  EXPECT_EQ(UndescribedCalls::called(UndescribedCalls::Api::kHsa), 1u)
      << "the line comes at the end";
  UndescribedCalls::Forget(UndescribedCalls::Api::kHsa);
}

TEST_F(HsaCallHooksTest, TruncatesALongText) {
  Install(true, false);
  hsa_isa_t isa = {};
  (void)In(kIndexOf_hsa_isa_from_name, FromName)(std::string(1000, 'x').c_str(), &isa);
  const auto event = sink_.events().at(0);
  EXPECT_EQ(event.value(1), 256u);
  EXPECT_EQ(event.payload.size(), 32u + 256u);
  EXPECT_NE(event.record.flags & kApiFlagTruncated, 0);
}

TEST_F(HsaCallHooksTest, RecordsAgentAndAddressOfAnAllocation) {
  Install(false, true);
  const auto allocate = In(kIndexOf_hsa_memory_allocate, Allocate);
  void* memory = nullptr;
  EXPECT_EQ(allocate({kPool}, 64, &memory), HSA_STATUS_SUCCESS);
  EXPECT_EQ(allocate({0x52}, 0, &memory), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  EXPECT_EQ(In(kIndexOf_hsa_memory_free, Free)(memory), HSA_STATUS_SUCCESS);
  const auto events = sink_.events();
  ASSERT_EQ(events.size(), 3u);
  const auto got = events[0].As<AllocationValues>();
  EXPECT_EQ(got.agent, 9u);
  EXPECT_EQ(got.bytes, 64u);
  EXPECT_EQ(got.address, kAddress);
  EXPECT_EQ(got.status, 0u);
  const auto refused = events[1].As<AllocationValues>();
  EXPECT_EQ(refused.agent, 0u);
  EXPECT_EQ(refused.address, 0u);
  EXPECT_EQ(refused.status, uint64_t{HSA_STATUS_ERROR_INVALID_ALLOCATION});
  EXPECT_STREQ(OperationName(EventKind::kAllocation, events[2].record.operation), "free");
  EXPECT_EQ(events[2].As<AllocationValues>().address, kAddress);
  // No other calls are recorded.
  EXPECT_EQ(In(kIndexOf_hsa_signal_store_relaxed, Store), &Store);
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 0u);
}

TEST_F(HsaCallHooksTest, GivesAnAllocationTheIdOfTheOpenCall) {
  Install(true, false);
  ThreadCalls* const calls = OpenCall::MakeCalls();
  ASSERT_NE(calls, nullptr);
  calls->recorded = 12;
  In(kIndexOf_hsa_signal_store_relaxed, Store)({1}, 2);
  calls->recorded = 0;
  EXPECT_EQ(sink_.events().at(0).record.correlation, 12u);
}

TEST_F(HsaCallHooksTest, NamesEveryLoss) {
  Install(true, true);
  const auto free = In(kIndexOf_hsa_memory_free, Free);
  sink_.SetFull(true);
  (void)free(nullptr);
  sink_.SetFull(false);
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  (void)free(nullptr);
  Pause::End(Pause::kAllThreads);
  for (const EventKind kind : {EventKind::kHsaCall, EventKind::kAllocation}) {
    EXPECT_EQ(sink_.submitted(kind), 2u);
    EXPECT_EQ(sink_.loss(Loss::kSpoolFull, kind), 1u);
    EXPECT_EQ(sink_.loss(Loss::kPaused, kind), 1u);
  }
  EXPECT_TRUE(sink_.events().empty());
}

TEST_F(HsaCallHooksTest, PassesCallsThroughWhenDisarmedAndRestoresTheTable) {
  Install(true, false);
  const auto add = In(kIndexOf_hsa_queue_add_write_index_relaxed, AddIndex);
  EXPECT_NE(add, &AddIndex);
  {
    const ReentryGuard guard;  // the tracer makes the next call
    EXPECT_EQ(add(nullptr, 1), 41u);
  }
  hooks_.Disarm();
  EXPECT_EQ(add(nullptr, 1), 41u);
  hooks_.Remove();
  EXPECT_EQ(In(kIndexOf_hsa_queue_add_write_index_relaxed, AddIndex), &AddIndex);
  EXPECT_EQ(add(nullptr, 1), 41u);  // a thread that still has our function
  EXPECT_TRUE(sink_.events().empty());
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 0u);
}

// Notes the calls that it gets.
class NotingListener final : public HsaCallListener {
 public:
  NotingListener(std::initializer_list<uint32_t> functions) : functions_(functions) {}

  void RuntimeComes(void*, const HsaSlots&) override { ++comes; }
  void RuntimeGoes() override { ++goes; }
  bool Asks(uint32_t function) override { return functions_.count(function) != 0; }
  uint32_t Wants(uint32_t function) override {
    EXPECT_TRUE(Asks(function));
    return wanted;
  }
  void Begin(HsaCall* call) override {
    memset(call->room, 0x5a, sizeof call->room);
    EXPECT_EQ(call->wanted, wanted);
    begun.push_back(call->function);
    arguments.push_back(call->arguments[1]);
  }
  void End(HsaCall* call, uint64_t result) override {
    EXPECT_EQ(call->room[sizeof call->room - 1], 0x5a) << "the same room";
    ended.push_back(*call);
    results.push_back(result);
  }

  uint32_t wanted = 7;
  int comes = 0, goes = 0;
  std::vector<uint32_t> begun;
  std::vector<uint64_t> arguments;  // the second one of each call
  std::vector<HsaCall> ended;
  std::vector<uint64_t> results;

 private:
  const std::set<uint32_t> functions_;
};

class HsaCallListenerTest : public HsaCallHooksTest {
 protected:
  static constexpr uint32_t kAdd = kIndexOf_hsa_queue_add_write_index_relaxed;

  ~HsaCallListenerTest() override { hooks_.Remove(); }  // while there is a listener
  void Listen() {
    hooks_.Listen(&listener_);
    hooks_.Install(&root_);
  }
  decltype(&AddIndex) Add() { return In(kAdd, AddIndex); }

  NotingListener listener_{kAdd, kIndexOf_hsa_memory_allocate};
};

TEST_F(HsaCallListenerTest, GivesACallToTraceAndListenerByOneWrapperWithTheSameTimes) {
  Install(true, true);
  auto* const wrapper = Add();
  Listen();
  EXPECT_EQ(Add(), wrapper) << "one interception";
  EXPECT_EQ(wrapper(nullptr, 2), 42u);
  void* memory = nullptr;
  EXPECT_EQ(In(kIndexOf_hsa_memory_allocate, Allocate)({kPool}, 64, &memory), HSA_STATUS_SUCCESS);
  In(kIndexOf_hsa_signal_store_relaxed, Store)({1}, 2);  // for the trace alone
  const auto events = sink_.events();
  ASSERT_EQ(events.size(), 4u);
  ASSERT_EQ(listener_.ended.size(), 2u);
  EXPECT_EQ(listener_.begun, (std::vector<uint32_t>{kAdd, kIndexOf_hsa_memory_allocate}));
  EXPECT_EQ(listener_.arguments, (std::vector<uint64_t>{2, 64}));
  EXPECT_EQ(listener_.results, (std::vector<uint64_t>{42, HSA_STATUS_SUCCESS}));
  // The second call has two records: the allocation and the call.
  for (const size_t event : {0, 1, 2}) {
    const HsaCall& call = listener_.ended[event == 0 ? 0 : 1];
    EXPECT_TRUE(call.timed);
    EXPECT_NE(call.start, 0u);
    EXPECT_EQ(events[event].record.start, call.start);
    EXPECT_EQ(events[event].record.end, call.end);
  }
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 3u);
  hooks_.Remove();
  EXPECT_EQ(Add(), &AddIndex);
  EXPECT_EQ(listener_.comes, 1);
  EXPECT_EQ(listener_.goes, 1);
}

TEST_F(HsaCallListenerTest, ReplacesForAListenerAloneOnlyItsFunctionsAndTakesNoTimes) {
  Listen();
  EXPECT_EQ(In(kIndexOf_hsa_signal_store_relaxed, Store), &Store);
  EXPECT_EQ(Add()(nullptr, 2), 42u);
  listener_.wanted = 0;
  EXPECT_EQ(Add()(nullptr, 3), 43u);
  ASSERT_EQ(listener_.ended.size(), 1u);
  EXPECT_FALSE(listener_.ended[0].timed);
  EXPECT_EQ(listener_.ended[0].start, 0u);
  EXPECT_EQ(listener_.ended[0].end, 0u);
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 0u);
  EXPECT_TRUE(sink_.events().empty());
}

TEST_F(HsaCallListenerTest, ArmsNothingForAListenerWithoutFunctions) {
  NotingListener none({});
  hooks_.Listen(&none);
  hooks_.Install(&root_);
  EXPECT_EQ(Add(), &AddIndex);
  hooks_.Remove();
  EXPECT_EQ(none.goes, 1);
}

TEST_F(HsaCallListenerTest, EndsTheTraceAndContinuesTheListener) {
  Install(true, false);
  Listen();
  hooks_.StopRecording();
  hooks_.Install(&root_);  // again, for the listener alone
  EXPECT_EQ(Add()(nullptr, 2), 42u);
  EXPECT_EQ(listener_.ended.size(), 1u);
  EXPECT_TRUE(sink_.events().empty());
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 0u);
  hooks_.Disarm();
  EXPECT_EQ(Add()(nullptr, 2), 42u);
  EXPECT_EQ(listener_.ended.size(), 1u);
}

// The listener decides about calls that the tracer or a tool makes itself.
TEST_F(HsaCallListenerTest, LeavesTheTracersOwnCallsToTheListener) {
  Install(true, false);
  Listen();
  const ReentryGuard guard;
  EXPECT_EQ(Add()(nullptr, 2), 42u);
  EXPECT_EQ(listener_.ended.size(), 1u);
  EXPECT_FALSE(listener_.ended[0].timed);
  EXPECT_EQ(sink_.submitted(EventKind::kHsaCall), 0u);
}

//   program ─► the tool's function ─► our function ─► the runtime
decltype(&AddIndex) below_the_tool;
int tool_calls;
uint64_t AddOfATool(const hsa_queue_t* queue, uint64_t value) {
  ++tool_calls;
  return below_the_tool(queue, value);
}

class HsaCallBelowAToolTest : public HsaCallListenerTest {
 protected:
  void PutTool() {
    below_the_tool = Add();
    tool_calls = 0;
    Put(kAdd, AddOfATool);
  }
  void ExpectOneOfEach() {
    EXPECT_EQ(Add(), &AddOfATool) << "it stays outermost";
    EXPECT_EQ(Add()(nullptr, 2), 42u);
    EXPECT_EQ(tool_calls, 1);
    EXPECT_EQ(listener_.ended.size(), 1u);
    EXPECT_EQ(sink_.events().size(), 1u);
  }
};

TEST_F(HsaCallBelowAToolTest, KeepsItsPlaceWhenAPartyJoins) {
  Listen();
  PutTool();
  Install(true, false);
  ExpectOneOfEach();
}

TEST_F(HsaCallBelowAToolTest, KeepsItsPlaceWhenTheTablesAreSetUpAgain) {
  Listen();
  PutTool();
  hooks_.Remove();
  EXPECT_EQ(Add()(nullptr, 2), 42u) << "passes through";
  EXPECT_TRUE(listener_.ended.empty());
  tool_calls = 0;
  Install(true, false);
  Listen();
  ExpectOneOfEach();
  hooks_.Remove();
  EXPECT_EQ(Add()(nullptr, 2), 42u);
}

// The function of the hooks for packets, which are put above the tool's function and ours.
decltype(&AddIndex) below_the_queues;
uint64_t AddOfQueues(const hsa_queue_t* queue, uint64_t value) {
  return below_the_queues(queue, value);
}
TEST_F(HsaCallBelowAToolTest, KeepsItsPlaceWhenHooksForPacketsComeMeanwhile) {
  Listen();
  PutTool();
  hooks_.Lift();
  below_the_queues = Add();
  Put(kAdd, AddOfQueues);
  Install(true, false);
  Listen();
  EXPECT_EQ(Add()(nullptr, 2), 42u);
  EXPECT_EQ(tool_calls, 1);
  EXPECT_EQ(listener_.ended.size(), 1u);
  EXPECT_EQ(sink_.events().size(), 1u);
}

TEST_F(HsaCallBelowAToolTest, WrapsATableThatTheRuntimeHasResetMeanwhile) {
  Listen();
  PutTool();
  hooks_.Remove();
  Put(kAdd, AddIndex);
  Install(true, false);
  Listen();
  PutTool();
  ExpectOneOfEach();
}

TEST_F(HsaCallBelowAToolTest, LeavesTheTableOfAnotherRuntimeAlone) {
  Listen();
  PutTool();
  hooks_.Remove();
  FakeTable other_core = core_, other_root = root_;
  other_root.slots[0] = &other_core;
  *HsaSlots(&other_root).Of(kAdd) = reinterpret_cast<void*>(AddIndex);
  hooks_.Listen(&listener_);
  hooks_.Install(&other_root);
  EXPECT_EQ(HsaSlots(&other_root).Get<decltype(&AddIndex)>(kAdd)(nullptr, 2), 42u);
  EXPECT_EQ(listener_.ended.size(), 1u);
  hooks_.Remove();
  EXPECT_EQ(HsaSlots(&other_root).Get<decltype(&AddIndex)>(kAdd), &AddIndex);
  EXPECT_EQ(Add(), &AddOfATool);
}

class ScratchEventsTest : public ::testing::Test {
 protected:
  ScratchEventsTest() {
    tools_.major = 1;
    tools_.bytes = 16 + 6 * 8;
    root_.slots[4] = &tools_;
  }
  ~ScratchEventsTest() override { scratch_.Remove(); }
  void Call(uint32_t place, const ScratchRuntimeEvent& event) {
    using Function = hsa_status_t (*)(const ScratchRuntimeEvent*);
    EXPECT_EQ(reinterpret_cast<Function>(tools_.slots[place])(&event), HSA_STATUS_SUCCESS);
  }

  FakeTable root_, tools_;
  MemorySink sink_;
  FastClock clock_;
  static ScratchEvents scratch_;
};

ScratchEvents ScratchEventsTest::scratch_;

TEST_F(ScratchEventsTest, RecordsTheValuesOfAnAllocationsEnd) {
  ASSERT_TRUE(scratch_.Install(&root_, &sink_, &clock_));
  hsa_queue_t queue = {};
  queue.id = 3;
  Call(0, {.kind = 0, .queue = &queue, .flags = 1, .dispatch_id = 7, .size = 0, .slots = 0});
  Call(2, {.kind = 2, .queue = &queue, .flags = 0, .dispatch_id = 0, .size = 0, .slots = 0});
  Call(3, {.kind = 3, .queue = &queue, .flags = 0, .dispatch_id = 0, .size = 0, .slots = 0});
  Call(1, {.kind = 1, .queue = &queue, .flags = 1, .dispatch_id = 8, .size = 4096, .slots = 4});
  const auto events = sink_.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_STREQ(OperationName(EventKind::kScratch, events[0].record.operation), "scratch_free");
  const auto values = events[1].As<ScratchValues>();
  EXPECT_EQ(values.queue, 4u);
  EXPECT_EQ(values.packet, 7u);
  EXPECT_EQ(values.bytes, 4096u);
  EXPECT_EQ(values.slots, 4u);
  EXPECT_EQ(values.flags, 1u);
  EXPECT_LE(events[1].record.start, events[0].record.start);
  EXPECT_EQ(sink_.submitted(EventKind::kScratch), 2u);
}

// The runtime frees a queue's memory while it destroys the queue.
TEST_F(ScratchEventsTest, ReadsNoQueueInAFree) {
  ASSERT_TRUE(scratch_.Install(&root_, &sink_, &clock_));
  void* const page = mmap(nullptr, sizeof(hsa_queue_t), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto* const queue = new (page) hsa_queue_t{};
  queue->id = 3;
  Call(0, {.kind = 0, .queue = queue, .flags = 0, .dispatch_id = 7, .size = 0, .slots = 0});
  Call(1, {.kind = 1, .queue = queue, .flags = 0, .dispatch_id = 8, .size = 4096, .slots = 4});
  ASSERT_EQ(munmap(page, sizeof(hsa_queue_t)), 0);
  Call(2, {.kind = 2, .queue = queue, .flags = 0, .dispatch_id = 0, .size = 0, .slots = 0});
  Call(3, {.kind = 3, .queue = queue, .flags = 0, .dispatch_id = 0, .size = 0, .slots = 0});
  const auto events = sink_.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].As<ScratchValues>().queue, 4u);
}

TEST_F(ScratchEventsTest, NamesEveryLoss) {
  ASSERT_TRUE(scratch_.Install(&root_, &sink_, &clock_));
  hsa_queue_t queues[ScratchEvents::kMostOpen + 1] = {};
  const auto event = [&](uint32_t i) { return ScratchRuntimeEvent{0, &queues[i], 0, 0, 0, 0}; };
  for (uint32_t i = 0; i <= ScratchEvents::kMostOpen; ++i) Call(0, event(i));
  EXPECT_EQ(sink_.loss(Loss::kNoMemory, EventKind::kScratch), 1u);
  Call(0, event(0));  // event 0 begins again, without an end
  EXPECT_EQ(sink_.loss(Loss::kAbandoned, EventKind::kScratch), 1u);
  sink_.SetFull(true);
  for (uint32_t i = 0; i <= ScratchEvents::kMostOpen; ++i) Call(1, event(i));
  EXPECT_EQ(sink_.loss(Loss::kSpoolFull, EventKind::kScratch), ScratchEvents::kMostOpen);
  EXPECT_EQ(sink_.submitted(EventKind::kScratch), sink_.lost(EventKind::kScratch));
}

class ScratchOfATool final : public ScratchListener {
 public:
  void Begin(ScratchOperation, const ScratchEvent&) override { ++begun; }
  void End(ScratchOperation, const ScratchEvent&) override { ++ended; }

  int begun = 0, ended = 0;
};

std::atomic<int> scratch_of_the_runtime;
hsa_status_t FormerScratchFunction(const ScratchRuntimeEvent*) {
  ++scratch_of_the_runtime;
  return HSA_STATUS_SUCCESS;
}

// The trace and a tool get each event once, by one function, which stays in the table as long as
// one of the two listens.
TEST_F(ScratchEventsTest, SharesTheTableWithTools) {
  static ScratchOfATool tool;
  tools_.slots[0] = reinterpret_cast<void*>(FormerScratchFunction);
  ASSERT_TRUE(scratch_.Install(&root_, &sink_, &clock_));
  void* const ours = tools_.slots[0];
  ASSERT_TRUE(scratch_hooks::Put(&root_, scratch_hooks::Party::kTools, &tool));
  EXPECT_EQ(tools_.slots[0], ours);
  hsa_queue_t queue = {};
  Call(0, {0, &queue, 0, 0, 0, 0});
  Call(1, {1, &queue, 0, 0, 4096, 4});
  EXPECT_EQ(sink_.events().size(), 1u);
  EXPECT_EQ(tool.begun, 1);
  EXPECT_EQ(tool.ended, 1);
  EXPECT_EQ(scratch_of_the_runtime, 1);
  scratch_.Remove();
  EXPECT_EQ(tools_.slots[0], ours) << "the tool still listens";
  Call(0, {0, &queue, 0, 0, 0, 0});
  EXPECT_EQ(tool.begun, 2);
  EXPECT_EQ(sink_.submitted(EventKind::kScratch), 1u);
  scratch_hooks::Lift(scratch_hooks::Party::kTools);
  EXPECT_EQ(tools_.slots[0], reinterpret_cast<void*>(FormerScratchFunction));
}

// The other tool's function calls ours, which must not take that function for the one that was in
// the table before.
TEST_F(ScratchEventsTest, KeepsItsPlaceBelowAnotherToolsFunction) {
  static ScratchOfATool tool;
  static ScratchFunction below;
  ASSERT_TRUE(scratch_.Install(&root_, &sink_, &clock_));
  below = reinterpret_cast<ScratchFunction>(tools_.slots[0]);
  const ScratchFunction above = [](const ScratchRuntimeEvent* event) { return below(event); };
  tools_.slots[0] = reinterpret_cast<void*>(above);
  scratch_.Remove();  // as when a party joins
  ASSERT_TRUE(scratch_.Install(&root_, &sink_, &clock_));
  ASSERT_TRUE(scratch_hooks::Put(&root_, scratch_hooks::Party::kTools, &tool));
  EXPECT_EQ(tools_.slots[0], reinterpret_cast<void*>(above));
  hsa_queue_t queue = {};
  Call(0, {0, &queue, 0, 0, 0, 0});
  EXPECT_EQ(tool.begun, 1);
  EXPECT_EQ(sink_.submitted(EventKind::kScratch), 1u);
  scratch_hooks::Lift(scratch_hooks::Party::kTools);
  tools_.slots[0] = reinterpret_cast<void*>(below);  // the other tool removes its function first
}

TEST_F(ScratchEventsTest, RejectsARuntimeWithoutTheTable) {
  root_.bytes = 16 + 4 * 8;
  EXPECT_FALSE(scratch_.Install(&root_, &sink_, &clock_));
}

}  // namespace
}  // namespace rtl::capture
