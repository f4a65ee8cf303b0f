// SPDX-License-Identifier: MIT
#include "capture/hooks/wait_hooks.h"

#include <sys/mman.h>

#include <atomic>

#include "base/mutex.h"
#include "capture/hip/open_call.h"
#include "capture/queue/hook_state.h"
#include "capture/worker/worker.h"

namespace rtl::capture::wait_hooks {
namespace {

struct Target {
  const HsaApi* api;
  const HookState* state;
  SignalMarks* marks;
  Worker* worker;
  bool launches;
};
// There are two slots, so that a thread that is late never sees a half-written one.
constinit Target targets[2] = {};
constinit std::atomic<const Target*> target{nullptr};

const Target& Get() { return *target.load(std::memory_order_acquire); }

bool Holds(hsa_signal_value_t value, hsa_signal_condition_t condition, hsa_signal_value_t with) {
  switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ:
      return value == with;
    case HSA_SIGNAL_CONDITION_NE:
      return value != with;
    case HSA_SIGNAL_CONDITION_LT:
      return value < with;
    case HSA_SIGNAL_CONDITION_GTE:
      return value >= with;
  }
  return true;  // an unknown condition, of a newer runtime
}

// True if HIP waits for room in a launch (see the head of wait_hooks.h), or if no tool wants ended
// work.
bool IsOfNoInterest(const Target& at) {
  return at.state->Quiet() || (at.launches && OpenCall::Launching());
}

// Called before the application sees this value of the signal. `known`: the value satisfies the
// application's wait. HOT: once per load.
void Learn(const Target& at, hsa_signal_t signal, hsa_signal_value_t value, bool known) {
  if (IsOfNoInterest(at)) return;
  // This fence pairs with the device's writes: a thread that sees the value of the signal also sees
  // the end of the kernel, so the record can be looked for now.
  std::atomic_thread_fence(std::memory_order_acquire);
  SignalMarks::Look look;
  const SignalMarks::News news = at.marks->Tell(signal, value, &look);
  if (news != SignalMarks::News::kPerhaps && !known) {
    if (news == SignalMarks::News::kNotYet) at.worker->NotePoll();
    return;
  }
  if (at.worker->BringHome()) SignalMarks::Told(look);
}

template <auto kLoad>
hsa_signal_value_t Load(hsa_signal_t signal) {
  const Target& at = Get();
  const hsa_signal_value_t value = (at.api->*kLoad)(signal);
  Learn(at, signal, value, false);
  return value;
}

template <auto kExchange>
hsa_signal_value_t Exchange(hsa_signal_t signal, hsa_signal_value_t value) {
  const Target& at = Get();
  const hsa_signal_value_t before = (at.api->*kExchange)(signal, value);
  Learn(at, signal, before, false);
  return before;
}

template <auto kCas>
hsa_signal_value_t Cas(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
  const Target& at = Get();
  const hsa_signal_value_t before = (at.api->*kCas)(signal, expected, value);
  Learn(at, signal, before, false);
  return before;
}

template <auto kWait>
hsa_signal_value_t Wait(hsa_signal_t signal, hsa_signal_condition_t condition,
                        hsa_signal_value_t with, uint64_t timeout, hsa_wait_state_t state) {
  const Target& at = Get();
  if (IsOfNoInterest(at)) return (at.api->*kWait)(signal, condition, with, timeout, state);
  const bool counted = at.worker->BeginWait();
  const hsa_signal_value_t value = (at.api->*kWait)(signal, condition, with, timeout, state);
  if (counted) at.worker->EndWait();
  Learn(at, signal, value, Holds(value, condition, with));
  return value;
}

template <auto kWait>
uint32_t WaitForSeveral(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                        hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t state,
                        hsa_signal_value_t* found) {
  const Target& at = Get();
  if (IsOfNoInterest(at))
    return (at.api->*kWait)(count, signals, conditions, values, timeout, state, found);
  const bool counted = at.worker->BeginWait();
  const uint32_t answer =
      (at.api->*kWait)(count, signals, conditions, values, timeout, state, found);
  if (counted) at.worker->EndWait();
  if (answer != UINT32_MAX) (void)at.worker->BringHome();
  return answer;
}

template <auto kWait>
hsa_status_t WaitForGroup(hsa_signal_group_t group, const hsa_signal_condition_t* conditions,
                          const hsa_signal_value_t* values, hsa_wait_state_t state,
                          hsa_signal_t* signal, hsa_signal_value_t* value) {
  const Target& at = Get();
  const hsa_status_t status = (at.api->*kWait)(group, conditions, values, state, signal, value);
  if (status == HSA_STATUS_SUCCESS && !at.state->Quiet()) (void)at.worker->BringHome();
  return status;
}

// A handler that the application has registered.
struct Handler {
  hsa_amd_signal_handler call;
  void* data;
  hsa_signal_t signal;
  Handler* next_free;
};

class Handlers {
 public:
  // Returns null if there is no memory.
  Handler* Take() {
    const MutexLock lock(mutex_);
    if (free_ == nullptr) Map();
    Handler* const handler = free_;
    if (handler != nullptr) free_ = handler->next_free;
    return handler;
  }
  void Give(Handler* handler) {
    const MutexLock lock(mutex_);
    handler->next_free = free_;
    free_ = handler;
  }

 private:
  static constexpr size_t kMapped = 64 * 1024;

  void Map() RTL_REQUIRES(mutex_) {
    void* const memory =
        mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    auto* const made = static_cast<Handler*>(memory);
    for (size_t i = 0; i < kMapped / sizeof(Handler); ++i) {
      made[i].next_free = free_;
      free_ = &made[i];
    }
  }

  Mutex mutex_{Rank::kSignals};
  Handler* free_ RTL_GUARDED_BY(mutex_) = nullptr;
};
constinit Handlers handlers;

// Runs on the runtime's own thread, which has seen the value.
bool OnSignal(hsa_signal_value_t value, void* data) {
  auto* const handler = static_cast<Handler*>(data);
  Learn(Get(), handler->signal, value, true);
  const bool again = handler->call(value, handler->data);
  if (!again) handlers.Give(handler);
  return again;
}

hsa_status_t AsyncHandler(hsa_signal_t signal, hsa_signal_condition_t condition,
                          hsa_signal_value_t with, hsa_amd_signal_handler call, void* data) {
  const Target& at = Get();
  const bool passes = call == nullptr || at.state->Quiet() || !at.worker->MayBringHome();
  Handler* const handler = passes ? nullptr : handlers.Take();
  if (handler == nullptr) {
    return at.api->amd_signal_async_handler(signal, condition, with, call, data);
  }
  *handler = {call, data, signal, nullptr};
  const hsa_status_t status =
      at.api->amd_signal_async_handler(signal, condition, with, &OnSignal, handler);
  if (status != HSA_STATUS_SUCCESS) handlers.Give(handler);
  return status;
}

}  // namespace

void Aim(const HsaApi* api, const HookState* state, SignalMarks* marks, Worker* worker,
         bool launches) {
  const Target* const now = target.load(std::memory_order_relaxed);
  Target* const next = &targets[now == &targets[0] ? 1 : 0];
  *next = {api, state, marks, worker, launches};
  target.store(next, std::memory_order_release);
}

Status Put(HsaTables* tables) {
#define RTL_PUT(slot, hook) RTL_TRY(tables->Replace(HsaSlot::slot, &hook<&HsaApi::slot>))
  RTL_PUT(signal_load_relaxed, Load);
  RTL_PUT(signal_load_scacquire, Load);
  RTL_PUT(signal_exchange_relaxed, Exchange);
  RTL_PUT(signal_exchange_scacquire, Exchange);
  RTL_PUT(signal_exchange_screlease, Exchange);
  RTL_PUT(signal_exchange_scacq_screl, Exchange);
  RTL_PUT(signal_cas_relaxed, Cas);
  RTL_PUT(signal_cas_scacquire, Cas);
  RTL_PUT(signal_cas_screlease, Cas);
  RTL_PUT(signal_cas_scacq_screl, Cas);
  RTL_PUT(signal_wait_relaxed, Wait);
  RTL_PUT(signal_wait_scacquire, Wait);
  RTL_PUT(signal_group_wait_any_scacquire, WaitForGroup);
  RTL_PUT(signal_group_wait_any_relaxed, WaitForGroup);
  RTL_PUT(amd_signal_wait_any, WaitForSeveral);
  if (tables->api().amd_signal_wait_all != nullptr) RTL_PUT(amd_signal_wait_all, WaitForSeveral);
#undef RTL_PUT
  return tables->Replace(HsaSlot::amd_signal_async_handler, &AsyncHandler);
}

}  // namespace rtl::capture::wait_hooks
