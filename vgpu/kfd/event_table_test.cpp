// SPDX-License-Identifier: MIT
#include "vgpu/kfd/event_table.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

namespace vgpu {
namespace {

constexpr uint32_t kForever = 0xffffffff;
constexpr uint32_t kTooLongToReach = 60'000;

std::vector<kfd_event_data> DataOf(const std::vector<uint32_t>& ids) {
  std::vector<kfd_event_data> events(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) events[i].event_id = ids[i];
  return events;
}

class Events : public ::testing::Test {
 protected:
  uint32_t NewSignal(bool auto_reset = false) {
    uint32_t id = 0;
    EXPECT_EQ(table_.Create(KFD_IOC_EVENT_SIGNAL, auto_reset, &id), 0);
    return id;
  }

  // The outcome of a wait that does not block.
  uint32_t Poll(const std::vector<uint32_t>& ids, bool all = false) {
    std::vector<kfd_event_data> events = DataOf(ids);
    uint32_t result = ~0u;
    EXPECT_EQ(table_.Wait(events, all, 0, &result), 0);
    return result;
  }

  EventTable table_{false};
};

// A thread that waits without a limit; Started() returns when it really waits.
class WaitingThread {
 public:
  WaitingThread(EventTable* table, std::vector<uint32_t> ids, bool all)
      : thread_([=, this] {
          std::vector<kfd_event_data> events = DataOf(ids);
          error_ = table->Wait(events, all, kForever, &result_);
          fault_ =
              events.empty() ? kfd_hsa_memory_exception_data{} : events[0].memory_exception_data;
        }) {}

  void Join() { thread_.join(); }
  int error() const { return error_; }
  uint32_t result() const { return result_; }
  const kfd_hsa_memory_exception_data& fault() const { return fault_; }

 private:
  int error_ = -1;
  uint32_t result_ = ~0u;
  kfd_hsa_memory_exception_data fault_ = {};
  std::thread thread_;
};

// Sets an event when a thread sleeps for it. That thread takes the event.
void SetUntilTaken(EventTable* table, uint32_t id) {
  while (table->TEST_Waiters(id) == 0) std::this_thread::yield();
  ASSERT_EQ(table->Set(id), 0);
}

TEST_F(Events, TimeOutAtOnceWhenAskedTo) {
  EXPECT_EQ(Poll({NewSignal()}), KFD_IOC_WAIT_RESULT_TIMEOUT);
}

TEST_F(Events, TimeOutAfterAWhile) {
  std::vector<kfd_event_data> events = DataOf({NewSignal()});
  uint32_t result = ~0u;
  EXPECT_EQ(table_.Wait(events, false, 1, &result), 0);
  EXPECT_EQ(result, static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_TIMEOUT));
}

TEST_F(Events, StaySignaledUntilTheyAreReset) {
  const uint32_t id = NewSignal();
  ASSERT_EQ(table_.Set(id), 0);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_COMPLETE);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_COMPLETE);
  ASSERT_EQ(table_.Reset(id), 0);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_TIMEOUT);
}

TEST_F(Events, WithAutoResetSatisfyOneWait) {
  const uint32_t id = NewSignal(true);
  ASSERT_EQ(table_.Set(id), 0);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_COMPLETE);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_TIMEOUT);
}

TEST_F(Events, WithAutoResetGoToTheirWaiters) {
  const uint32_t id = NewSignal(true);
  WaitingThread waiter(&table_, {id}, false);
  SetUntilTaken(&table_, id);
  waiter.Join();
  EXPECT_EQ(waiter.error(), 0);
  EXPECT_EQ(waiter.result(), static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
}

TEST_F(Events, WakeAllTheirWaiters) {
  const uint32_t id = NewSignal();
  WaitingThread first(&table_, {id}, false);
  WaitingThread second(&table_, {id}, false);
  ASSERT_EQ(table_.Set(id), 0);
  first.Join();
  second.Join();
  EXPECT_EQ(first.result(), static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
  EXPECT_EQ(second.result(), static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
}

// Between a read of a signal's value and the wait for its event, another waiter may take the event.
TEST_F(Events, ReachAThreadThatHasNotWaitedSinceAnotherTookThem) {
  const uint32_t id = NewSignal(true);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_TIMEOUT);
  WaitingThread other(&table_, {id}, false);
  SetUntilTaken(&table_, id);
  other.Join();
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_COMPLETE);
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_TIMEOUT) << "reported twice";
}

TEST_F(Events, SatisfyAWaitForAnyOneByOne) {
  const uint32_t first = NewSignal();
  const uint32_t second = NewSignal();
  EXPECT_EQ(Poll({first, second}), KFD_IOC_WAIT_RESULT_TIMEOUT);
  ASSERT_EQ(table_.Set(second), 0);
  EXPECT_EQ(Poll({first, second}), KFD_IOC_WAIT_RESULT_COMPLETE);
}

TEST_F(Events, SatisfyAWaitForAllOnlyTogether) {
  const uint32_t first = NewSignal();
  const uint32_t second = NewSignal();
  ASSERT_EQ(table_.Set(first), 0);
  EXPECT_EQ(Poll({first, second}, true), KFD_IOC_WAIT_RESULT_TIMEOUT);
  ASSERT_EQ(table_.Set(second), 0);
  EXPECT_EQ(Poll({first, second}, true), KFD_IOC_WAIT_RESULT_COMPLETE);
}

TEST_F(Events, WakeAWaitForAllWithTheLastOfThem) {
  const uint32_t first = NewSignal(true);
  const uint32_t second = NewSignal(true);
  WaitingThread waiter(&table_, {first, second}, true);
  SetUntilTaken(&table_, first);
  ASSERT_EQ(table_.Set(second), 0);
  waiter.Join();
  EXPECT_EQ(waiter.result(), static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
}

TEST_F(Events, AreSetAgainWhenAWaitThatTookThemTimesOut) {
  const uint32_t first = NewSignal(true);
  const uint32_t second = NewSignal(true);
  ASSERT_EQ(table_.Set(first), 0);
  EXPECT_EQ(Poll({first, second}, true), KFD_IOC_WAIT_RESULT_TIMEOUT);
  EXPECT_EQ(Poll({first}), KFD_IOC_WAIT_RESULT_COMPLETE);
}

TEST_F(Events, SatisfyAnEmptyWait) { EXPECT_EQ(Poll({}), KFD_IOC_WAIT_RESULT_COMPLETE); }

TEST_F(Events, ThatDoNotExistAreRefused) {
  const uint32_t id = NewSignal();
  ASSERT_EQ(table_.Destroy(id), 0);
  for (const uint32_t unknown : {uint32_t{0}, id, 4095u, 4096u, 0x80000000u, 0xffffffffu}) {
    EXPECT_EQ(table_.Set(unknown), -EINVAL) << unknown;
    EXPECT_EQ(table_.Reset(unknown), -EINVAL) << unknown;
    EXPECT_EQ(table_.Destroy(unknown), -EINVAL) << unknown;
    EXPECT_EQ(table_.Interrupt(unknown), -EINVAL) << unknown;
    std::vector<kfd_event_data> events = DataOf({unknown});
    uint32_t result = 0;
    EXPECT_EQ(table_.Wait(events, false, kForever, &result), -EINVAL) << unknown;
  }
}

TEST_F(Events, ThatAreDestroyedFailTheirWaiters) {
  const uint32_t id = NewSignal(true);
  const uint32_t other = NewSignal(true);
  WaitingThread waiter(&table_, {other, id}, true);
  SetUntilTaken(&table_, other);
  ASSERT_EQ(table_.Destroy(id), 0);
  waiter.Join();
  EXPECT_EQ(waiter.error(), -EIO);
  EXPECT_EQ(waiter.result(), static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_FAIL));
}

TEST_F(Events, UseEveryIdButZeroAndThenRunOut) {
  std::vector<bool> used(KFD_SIGNAL_EVENT_LIMIT);
  for (int i = 1; i < KFD_SIGNAL_EVENT_LIMIT; ++i) {
    const uint32_t id = NewSignal();
    ASSERT_LT(id, static_cast<uint32_t>(KFD_SIGNAL_EVENT_LIMIT));
    ASSERT_FALSE(used[id]);
    used[id] = true;
  }
  EXPECT_FALSE(used[0]);
  uint32_t id = 0;
  EXPECT_EQ(table_.Create(KFD_IOC_EVENT_SIGNAL, false, &id), -ENOSPC);
  EXPECT_EQ(table_.Create(KFD_IOC_EVENT_MEMORY, false, &id), 0);
  ASSERT_EQ(table_.Destroy(77), 0);
  EXPECT_EQ(NewSignal(), 77u);
}

TEST_F(Events, DoNotReuseAnIdAtOnce) {
  const uint32_t id = NewSignal();
  ASSERT_EQ(table_.Destroy(id), 0);
  EXPECT_NE(NewSignal(), id);
}

TEST_F(Events, AreCounted) {
  const uint32_t signal = NewSignal();
  uint32_t memory = 0;
  ASSERT_EQ(table_.Create(KFD_IOC_EVENT_MEMORY, false, &memory), 0);
  EXPECT_EQ(table_.Counts().events, 2u);
  EXPECT_EQ(table_.Counts().signal_events, 1u);
  ASSERT_EQ(table_.Destroy(signal), 0);
  ASSERT_EQ(table_.Destroy(memory), 0);
  EXPECT_EQ(table_.Counts().events, 0u);
  EXPECT_EQ(table_.Counts().signal_events, 0u);
  EXPECT_EQ(table_.Counts().created, 2u);
}

TEST_F(Events, MarkTheirSlotsAsSeen) {
  std::vector<uint64_t> slots(KFD_SIGNAL_EVENT_LIMIT, 1);
  table_.SetSignalPage(slots.data());
  EXPECT_EQ(slots[0], ~uint64_t{0});
  const uint32_t id = NewSignal();
  slots[id] = id;
  ASSERT_EQ(table_.Interrupt(id), 0);
  EXPECT_EQ(slots[id], ~uint64_t{0});
  EXPECT_EQ(Poll({id}), KFD_IOC_WAIT_RESULT_COMPLETE);
}

TEST_F(Events, CarryAMemoryFault) {
  uint32_t id = 0;
  ASSERT_EQ(table_.Create(KFD_IOC_EVENT_MEMORY, false, &id), 0);
  WaitingThread waiter(&table_, {id}, false);
  table_.MemoryFault(0x4a10, 0x1234567);
  waiter.Join();
  EXPECT_EQ(waiter.result(), static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
  EXPECT_EQ(waiter.fault().va, 0x1234000u);
  EXPECT_EQ(waiter.fault().gpu_id, 0x4a10u);
  EXPECT_EQ(waiter.fault().failure.NotPresent, 1u);
}

// The age of an event lies at the start of what a caller passes for it.
class AgedEvents : public Events {
 protected:
  uint32_t PollWithAge(uint32_t id, uint64_t* age) {
    std::vector<kfd_event_data> events = DataOf({id});
    std::memcpy(static_cast<void*>(events.data()), age, sizeof(*age));
    uint32_t result = ~0u;
    EXPECT_EQ(aged_.Wait(events, false, 0, &result), 0);
    std::memcpy(age, events.data(), sizeof(*age));
    return result;
  }

  EventTable aged_{true};
};

TEST_F(AgedEvents, ReachACallerThatMissedASignal) {
  uint32_t id = 0;
  ASSERT_EQ(aged_.Create(KFD_IOC_EVENT_SIGNAL, true, &id), 0);
  uint64_t age = 1;
  EXPECT_EQ(PollWithAge(id, &age), KFD_IOC_WAIT_RESULT_TIMEOUT);
  EXPECT_EQ(age, 1u);
  ASSERT_EQ(aged_.Set(id), 0);
  ASSERT_EQ(aged_.Reset(id), 0);  // another thread took it
  EXPECT_EQ(PollWithAge(id, &age), KFD_IOC_WAIT_RESULT_COMPLETE);
  EXPECT_EQ(age, 2u);
  EXPECT_EQ(PollWithAge(id, &age), KFD_IOC_WAIT_RESULT_TIMEOUT);
}

TEST_F(AgedEvents, LeaveCallersWithoutAnAgeAlone) {
  uint32_t id = 0;
  ASSERT_EQ(aged_.Create(KFD_IOC_EVENT_SIGNAL, true, &id), 0);
  ASSERT_EQ(aged_.Set(id), 0);
  ASSERT_EQ(aged_.Reset(id), 0);
  uint64_t age = 0;
  EXPECT_EQ(PollWithAge(id, &age), KFD_IOC_WAIT_RESULT_TIMEOUT);
  EXPECT_EQ(age, 0u);
}

TEST_F(AgedEvents, ReturnAtOnceFromALongWaitWithAnOldAge) {
  uint32_t id = 0;
  ASSERT_EQ(aged_.Create(KFD_IOC_EVENT_SIGNAL, true, &id), 0);
  ASSERT_EQ(aged_.Set(id), 0);
  ASSERT_EQ(aged_.Reset(id), 0);
  std::vector<kfd_event_data> events = DataOf({id});
  const uint64_t age = 1;
  std::memcpy(static_cast<void*>(events.data()), &age, sizeof(age));
  uint32_t result = ~0u;
  EXPECT_EQ(aged_.Wait(events, false, kTooLongToReach, &result), 0);
  EXPECT_EQ(result, static_cast<uint32_t>(KFD_IOC_WAIT_RESULT_COMPLETE));
}

}  // namespace
}  // namespace vgpu
