// SPDX-License-Identifier: MIT
#include "capture/hip/hip_tables.h"

#include <string.h>

#include <atomic>

#include "capture/hip/hip_function.h"
#include "capture/hip/undescribed_calls.h"

namespace rtl::capture {
namespace {

using namespace hip_function;

#include "capture/hip/hip_entries.inc"

#define RTL_HIP(place, result, symbol, call, ...) #call,
#define RTL_HIP_ENTRY RTL_HIP
constexpr const char* kCallNames[] = {
#include "capture/hip/hip_functions.inc"
};
#undef RTL_HIP
constexpr size_t kFunctions = sizeof kCallNames / sizeof *kCallNames;

constexpr size_t kSizeBytes = sizeof(size_t);
constexpr uint32_t kMostEntries = 4096;

struct Kind {
  const char* name;
  const int16_t* places;  // index in hip_functions.inc of each entry; -1: the entry is not wrapped
  uint32_t known;
  uint32_t fewest;  // number of entries in the shortest version
};
constexpr Kind kKinds[] = {
    {"hip", k_hip, sizeof k_hip / sizeof *k_hip, 442},
    {"hip_compiler", k_hip_compiler, sizeof k_hip_compiler / sizeof *k_hip_compiler, 9},
};
constexpr size_t kKindCount = sizeof kKinds / sizeof *kKinds;

// HIP's own functions; null: the entry is not wrapped
constinit std::atomic<void*> originals[kFunctions] = {};
constinit std::atomic<const HipCallHooks*> listener{nullptr};
constinit const void* taken[kKindCount] = {};
// addresses of the wrapped entries; null: not wrapped
constinit void** entries_of[kFunctions] = {};

size_t KindOf(const char* name) {
  size_t kind = 0;
  while (kind < kKindCount && strcmp(kKinds[kind].name, name) != 0) ++kind;
  return kind;
}

// The wrapper of the function with index kPlace.
template <uint32_t kPlace, typename F>
struct Before;
template <uint32_t kPlace, typename R, typename... P>
struct Before<kPlace, R(P...)> {
  static R Call(P... arguments) {  // HOT: once per call
    // set before the wrapper is installed
    void* const hip = originals[kPlace].load(std::memory_order_relaxed);
    const HipCallHooks& hooks = *listener.load(std::memory_order_acquire);  // pairs with (A)
    return CallThrough<R, P...>(reinterpret_cast<R (*)(P...)>(hip), hooks, kPlace, arguments...);
  }
};

void FillIn(void** functions) {
#define RTL_HIP(place, result, symbol, call, parameters, ...) \
  functions[place] = reinterpret_cast<void*>(&Before<place, result parameters>::Call);
#include "capture/hip/hip_functions.inc"
#undef RTL_HIP
}

}  // namespace

bool HipTables::IsOne(const char* name) { return KindOf(name) < kKindCount; }

bool HipTables::IsOfSecondCopy(const char* name, const void* table) {
  const size_t kind = KindOf(name);
  return kind < kKindCount && taken[kind] != nullptr && taken[kind] != table;
}

PreloadedCalls HipTables::Functions() { return {kCallNames, kFunctions}; }

Status HipTables::Check(const char* name, const void* table, Entries* out) {
  const size_t kind = KindOf(name);
  if (kind >= kKindCount) return Status::Error("'%.40s' is not a table of HIP", name);
  const Kind& known = kKinds[kind];
  if (IsOfSecondCopy(name, table)) {
    return Status::Error("those that come only through the table '%s' of a second copy of HIP",
                         name);
  }
  size_t bytes = 0;
  memcpy(&bytes, table, sizeof bytes);
  const size_t entries = bytes < kSizeBytes ? 0 : (bytes - kSizeBytes) / sizeof(void*);
  if (bytes % sizeof(void*) != 0 || entries < known.fewest || entries > kMostEntries) {
    return Status::Error("its table '%s' of %zu bytes belongs to no known version", name, bytes);
  }
  out->all = static_cast<uint32_t>(entries);
  out->known = out->all < known.known ? out->all : known.known;
  return Status::Ok();
}

void HipTables::Wrap(const char* name, void* table, bool (*wanted)(uint32_t place),
                     const HipCallHooks& hooks, void (*undescribed)()) {
  Entries entries;
  if (!Check(name, table, &entries).ok()) return;
  const size_t kind = KindOf(name);
  taken[kind] = table;
  listener.store(&hooks, std::memory_order_release);  // (A)
  any_.store(true, std::memory_order_relaxed);
  void* functions[kFunctions];
  FillIn(functions);
  auto** const first = reinterpret_cast<void**>(static_cast<uint8_t*>(table) + kSizeBytes);
  for (uint32_t i = 0; i < entries.known; ++i) {
    const int16_t place = kKinds[kind].places[i];
    if (place < 0 || !wanted(static_cast<uint32_t>(place))) continue;
    void** const entry = first + i;
    if (*entry == nullptr) continue;             // a function that this HIP lacks
    if (entries_of[place] != nullptr) continue;  // it is wrapped already
    originals[place].store(*entry, std::memory_order_relaxed);
    entries_of[place] = entry;
    // A release store, because HIP reads the entry with an undocumented memory order.
    __atomic_store_n(entry, functions[place], __ATOMIC_RELEASE);
  }
  if (undescribed == nullptr) return;
  for (uint32_t i = entries.known; i < entries.all; ++i)
    // False: the entry is null, or wrapped already.
    (void)UndescribedCalls::Wrap(UndescribedCalls::Api::kHip, i, first + i, undescribed);
}

void HipTables::Unwrap() {
  void* functions[kFunctions];
  FillIn(functions);
  any_.store(false, std::memory_order_relaxed);
  for (size_t place = 0; place < kFunctions; ++place) {
    if (entries_of[place] == nullptr) continue;
    void* wrapper = functions[place];
    // `originals` keeps the function, because a thread may be inside the wrapper.
    if (__atomic_compare_exchange_n(entries_of[place], &wrapper,
                                    originals[place].load(std::memory_order_relaxed), false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      entries_of[place] = nullptr;
  }
  UndescribedCalls::Unwrap(UndescribedCalls::Api::kHip);
  UndescribedCalls::Forget(UndescribedCalls::Api::kHip);
}

bool HipTables::IsEntryWrapped(uint32_t place) {
  return place < kFunctions && originals[place].load(std::memory_order_relaxed) != nullptr;
}

void HipTables::TEST_Forget() {
  for (auto& original : originals) original.store(nullptr, std::memory_order_relaxed);
  for (const void*& table : taken) table = nullptr;
  for (void**& entry : entries_of) entry = nullptr;
  UndescribedCalls::TEST_Forget();
}

}  // namespace rtl::capture
