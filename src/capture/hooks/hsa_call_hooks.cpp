// SPDX-License-Identifier: MIT
#include "capture/hooks/hsa_call_hooks.h"

#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>

#include <type_traits>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/hip/undescribed_calls.h"
#include "capture/hsa/hsa_slots.h"
#include "capture/roctx/pause.h"
#include "model/hsa_calls.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

constexpr size_t kMostArguments = 16;
constexpr size_t kMostTextBytes = 256;  // most bytes of one text; longer texts are truncated
constexpr size_t kPayloadBytes = 8 * (1 + 2 * kMostArguments) + 2 * kMostTextBytes;

constinit std::atomic<HsaCallHooks*> g_hooks{nullptr};
// Three arrays, indexed like hsa_functions.inc. g_real: the former functions. g_slots: the slots
// that have the tracer's wrapper, directly or below another tool's function. g_above: the function
// that such a slot had when the runtime was unloaded.
constinit std::atomic<void*> g_real[kHsaFunctionTotal] = {};
constinit void** g_slots[kHsaFunctionTotal] = {};
constinit void* g_above[kHsaFunctionTotal] = {};

// Describes the arguments of each function, from hsa_functions.inc.
enum class Format : uint8_t { kUnsigned, kSigned, kBool, kHandle, kPointer, kText, kOpaque };
struct Argument {
  const char *type, *name;
  Format format;
  size_t bytes;
  uint8_t stars;
  Format inner;
  uint8_t inner_bytes;
};
#define HSA_LIST(...) \
  __VA_ARGS__ __VA_OPT__(, ) Argument {}  // so that no array is empty
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  constexpr Argument kArgumentsOf_##name[] = {HSA_LIST arguments};               \
  static_assert(sizeof kArgumentsOf_##name / sizeof(Argument) - 1 <= kMostArguments);
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
#undef HSA_LIST
constexpr const Argument* kArguments[] = {
#define HSA_FUNCTION(table, operation, old_slot, name, ...) kArgumentsOf_##name,
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
};

constexpr bool IsAllocation(uint32_t function) {
  switch (function) {
    case kIndexOf_hsa_memory_allocate:
    case kIndexOf_hsa_amd_memory_pool_allocate:
    case kIndexOf_hsa_memory_free:
    case kIndexOf_hsa_amd_memory_pool_free:
    case kIndexOf_hsa_amd_vmem_handle_create:
    case kIndexOf_hsa_amd_vmem_handle_release:
      return true;
    default:
      return false;
  }
}

AllocationOperation OperationOf(uint32_t function) {
  switch (function) {
    case kIndexOf_hsa_memory_free:
    case kIndexOf_hsa_amd_memory_pool_free:
      return AllocationOperation::kFree;
    case kIndexOf_hsa_amd_vmem_handle_create:
      return AllocationOperation::kVmemAllocate;
    case kIndexOf_hsa_amd_vmem_handle_release:
      return AllocationOperation::kVmemFree;
    default:
      return AllocationOperation::kAllocate;
  }
}

template <typename T>
uint64_t ToWord(const T& value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uintptr_t>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  } else {
    return reinterpret_cast<uintptr_t>(&value);  // a structure that is passed by value
  }
}

// HOT: installed in the runtime's table.
template <uint32_t kIndex, typename R, typename... A>
R Wrapped(A... arguments) {
  auto* const real = reinterpret_cast<R (*)(A...)>(g_real[kIndex].load(std::memory_order_acquire));
  HsaCallHooks& hooks = *g_hooks.load(std::memory_order_acquire);
  const HsaCallHooks::Parties parties = hooks.PartiesOf(kIndex);
  if (!parties.any()) return real(arguments...);
  const uint64_t words[] = {ToWord(arguments)..., 0};
  const auto call = [&]() -> uint64_t {
    if constexpr (std::is_void_v<R>) {
      real(arguments...);
      return 0;
    } else {
      return ToWord(real(arguments...));
    }
  };
  const auto invoke = [](const void* data) {
    return (*static_cast<const decltype(call)*>(data))();
  };
  return static_cast<R>(hooks.Around(kIndex, parties, words, {&call, invoke}));
}

template <uint32_t kIndex, typename R>
struct Wrapper {
  template <typename... A>
  static void* Of(void (*)(A...)) {
    return reinterpret_cast<void*>(&Wrapped<kIndex, R, A...>);
  }
};

void* WrapperOf(uint32_t index) {
  switch (index) {
#define HSA_FUNCTION(table, operation, old_slot, name, result, types, arguments) \
  case kIndexOf_##name:                                                          \
    return Wrapper<kIndexOf_##name, result>::Of(static_cast<void(*) types>(nullptr));
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
    default:
      return nullptr;
  }
}

// Appends the words and texts of a call's arguments.
class ArgumentWriter {
 public:
  explicit ArgumentWriter(char* room) : at_(room) {}

  void Word(uint64_t value) {
    memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  // Appends the length of a text, which is the text's word.
  void TextWord(const char* text) {
    if (text == nullptr) return Word(kNullText);
    const size_t bytes = strnlen(text, kMostTextBytes);
    if (bytes == kMostTextBytes || texts_ == kMostTexts) truncated_ = true;
    if (texts_ == kMostTexts) return Word(0);
    text_[texts_] = text;
    text_bytes_[texts_++] = bytes;
    Word(bytes);
  }
  // Appends the texts; called after all words.
  void Texts() {
    for (uint32_t i = 0; i < texts_; ++i) {
      memcpy(at_, text_[i], text_bytes_[i]);
      at_ += text_bytes_[i];
    }
  }
  bool truncated() const { return truncated_; }
  size_t bytes(const char* begin) const { return static_cast<size_t>(at_ - begin); }

 private:
  static constexpr uint32_t kMostTexts = 2;
  char* at_;
  const char* text_[kMostTexts] = {};
  size_t text_bytes_[kMostTexts] = {};
  uint32_t texts_ = 0;
  bool truncated_ = false;
};

// Reads the value at `from`, which the runtime has just written for an output argument.
uint64_t Follow(uint64_t from, const Argument& argument, ArgForm form) {
  uint64_t value = 0;
  if (from == 0) return value;
  memcpy(&value, reinterpret_cast<const void*>(from), argument.inner_bytes);
  const uint32_t unused = 64 - 8 * uint32_t{argument.inner_bytes};
  if (form == ArgForm::kOutSigned) {
    value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  }
  return value;
}

// State while the pools of one agent are collected.
struct PoolList {
  void* list;
  bool (*add)(void* list, uint64_t handle, uint32_t agent);
  uint32_t agent;
  const HsaCallHooks::Services* services;
  decltype(&hsa_agent_iterate_regions) iterate_regions;
  decltype(&hsa_amd_agent_iterate_memory_pools) iterate_pools;

  hsa_status_t Add(uint64_t handle) {
    return add(list, handle, agent) ? HSA_STATUS_SUCCESS : HSA_STATUS_INFO_BREAK;
  }
  static hsa_status_t AddRegion(hsa_region_t region, void* self) {
    return static_cast<PoolList*>(self)->Add(region.handle);
  }
  static hsa_status_t AddPool(hsa_amd_memory_pool_t pool, void* self) {
    return static_cast<PoolList*>(self)->Add(pool.handle);
  }
  static hsa_status_t AddAgent(hsa_agent_t agent, void* data) {
    auto* const self = static_cast<PoolList*>(data);
    self->agent = self->services->agent_number(self->services->agent_data, agent);
    // If the agent reports nothing, its pools are missing in the list.
    if (self->iterate_regions != nullptr) (void)self->iterate_regions(agent, AddRegion, self);
    if (self->iterate_pools != nullptr) (void)self->iterate_pools(agent, AddPool, self);
    return HSA_STATUS_SUCCESS;
  }
};

}  // namespace

void HsaCallHooks::Record(const Services& services) {
  if (!services.calls && !services.allocations) return;
  services_ = services;
  joining_ |= kRecords;
}

void HsaCallHooks::Listen(HsaCallListener* listener) {
  // an unchanged pointer is not written, because threads may be reading it
  if (listener_ != listener) listener_ = listener;
  joining_ |= kListens;
}

// Queries the listener once for each function. False if it wants none.
bool HsaCallHooks::AskListener(void* root, const HsaSlots& slots) {
  const bool joined = (joined_ & kListens) != 0;
  bool any = false;
  if (joined) listener_->RuntimeComes(root, slots);
  for (uint32_t i = 0; i < kHsaFunctionTotal; ++i) {
    const bool asked = joined && listener_->Asks(i);
    asked_[i].store(asked, std::memory_order_relaxed);
    any |= asked;
  }
  return any;
}

void HsaCallHooks::Install(void* root) {
  joined_ |= joining_;
  if (joined_ == 0) return;
  const HsaSlots slots(root);
  const bool records = (joined_ & kRecords) != 0;
  if ((joining_ & kRecords) != 0 && services_.allocations) AskForPools(slots);
  if (!AskListener(root, slots)) joining_ &= kRecords;
  g_hooks.store(this, std::memory_order_release);
  armed_.fetch_or(joining_, std::memory_order_release);  // pairs with PartiesOf
  joining_ = 0;
  in_table_ = true;
  for (uint32_t i = 0; i < kHsaFunctionTotal; ++i) {
    void** const slot = slots.Of(i);
    if (slot != g_slots[i]) {  // the slot is of another table; the former table may be unmapped
      g_slots[i] = nullptr;
      g_above[i] = nullptr;
    }
    const bool recorded = records && (services_.calls || IsAllocation(i));
    const bool asked = asked_[i].load(std::memory_order_relaxed);
    if (slot == nullptr || (!recorded && !asked)) continue;
    void* const wrapper = WrapperOf(i);
    void* const before = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (before == nullptr) continue;
    // True if another tool's function is installed over the tracer's wrapper and calls it. A
    // runtime that was shut down and returns may have reset its tables.
    const bool below = slot == g_slots[i] && before != g_real[i].load(std::memory_order_relaxed) &&
                       (g_above[i] == nullptr || before == g_above[i]);
    g_slots[i] = slot;
    g_above[i] = nullptr;
    if (before == wrapper || below) continue;
    g_real[i].store(before, std::memory_order_release);  // pairs with the load in Wrapped
    __atomic_store_n(slot, wrapper, __ATOMIC_RELEASE);
  }
  if (!records || !services_.calls) return;
  slots.ForEachUnknown([](uint32_t number, void** slot) {
    // False: the slot is null, or wrapped already.
    (void)UndescribedCalls::Wrap(UndescribedCalls::Api::kHsa, number, slot, CountUndescribed);
  });
}

// HOT: once per call of a function without a description.
void HsaCallHooks::CountUndescribed() {
  const HsaCallHooks& hooks = *g_hooks.load(std::memory_order_acquire);
  const uint8_t armed = hooks.armed_.load(std::memory_order_acquire);  // pairs with Install
  if ((armed & kRecords) == 0 || !hooks.services_.calls || ReentryGuard::Active()) return;
  hooks.services_.sink->CountSubmitted(EventKind::kHsaCall, 1);
  hooks.services_.sink->CountLoss(EventKind::kHsaCall,
                                  Pause::Active() ? Loss::kPaused : Loss::kUndescribed, 1);
}

void HsaCallHooks::Lift() {
  Disarm();
  if (!in_table_) return;
  if ((joined_ & kListens) != 0) listener_->RuntimeGoes();
  joined_ = joining_ = 0;
  UndescribedCalls::Unwrap(UndescribedCalls::Api::kHsa);
  for (uint32_t i = 0; i < kHsaFunctionTotal; ++i) {
    if (g_slots[i] == nullptr) continue;
    void* const real = g_real[i].load(std::memory_order_relaxed);
    void* found = WrapperOf(i);
    const bool restored = __atomic_compare_exchange_n(g_slots[i], &found, real, false,
                                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    if (restored || found == real) g_slots[i] = nullptr;
  }
}

void HsaCallHooks::Remove() {
  Lift();
  if (!in_table_) return;
  in_table_ = false;
  for (uint32_t i = 0; i < kHsaFunctionTotal; ++i)
    g_above[i] = g_slots[i] == nullptr ? nullptr : __atomic_load_n(g_slots[i], __ATOMIC_ACQUIRE);
}

// A region of the core interface and an AMD memory pool may have the same handle. Both handles then
// name the same memory.
void HsaCallHooks::AskForPools(const HsaSlots& slots) {
  const auto iterate = slots.Get<decltype(&hsa_iterate_agents)>(kIndexOf_hsa_iterate_agents);
  pool_count_ = 0;
  PoolList list = {
      this,
      [](void* self, uint64_t handle, uint32_t agent) {
        auto* const hooks = static_cast<HsaCallHooks*>(self);
        if (hooks->pool_count_ == kMostPools) return false;
        hooks->pools_[hooks->pool_count_++] = {handle, agent};
        return true;
      },
      0,
      &services_,
      slots.Get<decltype(&hsa_agent_iterate_regions)>(kIndexOf_hsa_agent_iterate_regions),
      slots.Get<decltype(&hsa_amd_agent_iterate_memory_pools)>(
          kIndexOf_hsa_amd_agent_iterate_memory_pools)};
  // if this fails, the list has the pools found so far
  if (iterate != nullptr) (void)iterate(PoolList::AddAgent, &list);
}

uint32_t HsaCallHooks::AgentOf(uint64_t pool) const {
  for (uint32_t i = 0; i < pool_count_; ++i) {
    if (pools_[i].handle == pool) return pools_[i].agent;
  }
  return 0;
}

HsaCallHooks::Parties HsaCallHooks::PartiesOf(uint32_t function) const {
  const uint8_t armed = armed_.load(std::memory_order_acquire);  // pairs with Install
  Parties parties = {};
  if ((armed & kRecords) != 0 && (services_.calls || IsAllocation(function)))
    parties.records = !ReentryGuard::Active();
  if ((armed & kListens) != 0 && asked_[function].load(std::memory_order_relaxed))
    parties.wanted = listener_->Wants(function);
  return parties;
}

// HOT: once per call that the trace or the listener wants.
[[gnu::noinline]] uint64_t HsaCallHooks::Around(uint32_t function, Parties parties,
                                                const uint64_t* arguments, Function real) {
  if (parties.wanted != 0) return AroundForListener(function, parties, arguments, real);
  Open open;
  Begin(function, &open);
  const uint64_t result = real();
  End(function, open, services_.clock->NowNs(), result, arguments);
  return result;
}

// The listener's own time is not part of the call.
[[gnu::noinline]] uint64_t HsaCallHooks::AroundForListener(uint32_t function, Parties parties,
                                                           const uint64_t* arguments,
                                                           Function real) {
  HsaCallListener& listener = *listener_;
  HsaCall call;
  call.function = function;
  call.wanted = parties.wanted;
  call.timed = parties.records;
  call.start = call.end = 0;
  call.arguments = arguments;
  listener.Begin(&call);
  Open open;
  if (parties.records) {
    Begin(function, &open);
    call.start = open.start;
  }
  const uint64_t result = real();
  if (parties.records) {
    call.end = services_.clock->NowNs();
    End(function, open, call.end, result, arguments);
  }
  listener.End(&call, result);
  return result;
}

void HsaCallHooks::Begin(uint32_t function, Open* open) {
  open->call = services_.calls;
  open->allocation = services_.allocations && IsAllocation(function);
  open->correlation = OpenCall::Recorded();
  open->paused = Pause::Active();
  if (open->call) services_.sink->CountSubmitted(EventKind::kHsaCall, 1);
  if (open->allocation) services_.sink->CountSubmitted(EventKind::kAllocation, 1);
  open->start = services_.clock->NowNs();
}

void HsaCallHooks::End(uint32_t function, const Open& open, uint64_t end, uint64_t result,
                       const uint64_t* arguments) {
  const ReentryGuard guard;  // calls that a signal handler makes are not recorded
  if (open.paused) [[unlikely]] {
    if (open.call) services_.sink->CountLoss(EventKind::kHsaCall, Loss::kPaused, 1);
    if (open.allocation) services_.sink->CountLoss(EventKind::kAllocation, Loss::kPaused, 1);
    return;
  }
  if (open.allocation) WriteAllocation(function, open, end, result, arguments);
  if (open.call) WriteCall(function, open, end, result, arguments);
}

void HsaCallHooks::Write(EventRecord* record, const void* payload) {
  record->head.type = RecordType::kEvent;
  record->head.thread = ThreadId::Current();
  if (!services_.sink->Write(record, sizeof *record, static_cast<const char*>(payload),
                             record->text_bytes)) [[unlikely]] {
    services_.sink->CountLoss(record->kind, Loss::kSpoolFull, 1);
  }
}

// HOT: once per recorded call.
void HsaCallHooks::WriteCall(uint32_t function, const Open& open, uint64_t end, uint64_t result,
                             const uint64_t* arguments) {
  const ApiCall& call = *FindHsaCall(function);
  const ApiArg* const args = HsaArgs(call);
  const bool follow = HsaResultOf(function) == HsaResult::kStatus && result == HSA_STATUS_SUCCESS;
  alignas(8) char payload[kPayloadBytes];
  ArgumentWriter writer(payload);
  writer.Word(result);
  for (uint32_t i = 0; i < call.args; ++i) {
    switch (args[i].form) {
      case ArgForm::kStruct:
        break;
      case ArgForm::kText:
        writer.TextWord(reinterpret_cast<const char*>(arguments[i]));
        break;
      case ArgForm::kOutPointer:
      case ArgForm::kOutSigned:
      case ArgForm::kOutUnsigned:
        writer.Word(arguments[i]);
        writer.Word(follow ? Follow(arguments[i], kArguments[function][i], args[i].form) : 0);
        break;
      default:
        writer.Word(arguments[i]);
    }
  }
  writer.Texts();
  EventRecord record;
  record.correlation = open.correlation;
  record.start = open.start;
  record.end = end;
  record.kind = EventKind::kHsaCall;
  record.values = 1;
  record.operation = static_cast<uint16_t>(function);
  record.flags = static_cast<uint16_t>((follow ? kApiFlagOutputs : 0) |
                                       (writer.truncated() ? kApiFlagTruncated : 0));
  record.slots = call.slots;
  record.text_bytes = static_cast<uint32_t>(writer.bytes(payload));
  Write(&record, payload);
}

// In all functions that allocate, the first arguments are the pool and the size, and the last one
// is the address of the result.
void HsaCallHooks::WriteAllocation(uint32_t function, const Open& open, uint64_t end,
                                   uint64_t result, const uint64_t* arguments) {
  AllocationValues values;
  const AllocationOperation operation = OperationOf(function);
  values.status = result;
  if (operation == AllocationOperation::kFree || operation == AllocationOperation::kVmemFree) {
    values.address = arguments[0];
  } else {
    values.agent = AgentOf(arguments[0]);
    values.bytes = arguments[1];
    const uint64_t out = arguments[FindHsaCall(function)->args - 1];
    if (result == HSA_STATUS_SUCCESS && out != 0)
      memcpy(&values.address, reinterpret_cast<const void*>(out), sizeof values.address);
  }
  EventRecord record;
  record.correlation = open.correlation;
  record.start = open.start;
  record.end = end;
  record.kind = EventKind::kAllocation;
  record.values = sizeof values / sizeof(uint64_t);
  record.operation = static_cast<uint16_t>(operation);
  record.text_bytes = sizeof values;
  Write(&record, &values);
}

}  // namespace rtl::capture
