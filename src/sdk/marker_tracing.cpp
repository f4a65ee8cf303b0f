// SPDX-License-Identifier: MIT
#include "sdk/marker_tracing.h"

#include <string.h>
#include <unistd.h>

#include <type_traits>

#include "base/log.h"

namespace rtl::sdk {
namespace {

constexpr uint32_t kLibraries = MarkerTracing::kMostLibraries;
constexpr uint64_t kSizeBytes = sizeof(uint64_t);  // a table begins with its size

constinit ApiCalls* g_calls = nullptr;
// What stood in the tables before us, by place in kMarkerFunctions.
constinit std::atomic<void*> g_real[kLibraries][kMarkerFunctionCount] = {};

enum : uint32_t {
#define MARKER_FUNCTION(table, operation, name, ...) kIndexOf_##name,
#include "sdk/marker_functions.inc"
#undef MARKER_FUNCTION
  kFunctions
};
static_assert(kFunctions == kMarkerFunctionCount);

// HOT: stands in a library's table.
template <uint32_t kLibrary, uint32_t kIndex, typename R, typename... A>
R Wrapped(A... args) {
  auto* const real =
      reinterpret_cast<R (*)(A...)>(g_real[kLibrary][kIndex].load(std::memory_order_acquire));
  const ApiFunction& function = kMarkerFunctions[kIndex].api;
  if (!g_calls->Listening(function)) return real(args...);
  rocprofiler_callback_tracing_marker_api_data_t payload = {};
  payload.size = sizeof payload;
  size_t offset = 0;
  (PutArgument(reinterpret_cast<char*>(&payload.args), &offset, args), ...);
  ApiCalls::Call call;
  g_calls->Begin(&call, function, &payload);
  if constexpr (std::is_void_v<R>) {
    real(args...);
    g_calls->End(&call);
  } else {
    const R result = real(args...);
    // Right as a number of 32 bits, too.
    payload.retval.int64_t_retval = static_cast<int64_t>(result);
    g_calls->End(&call);
    return result;
  }
}

template <uint32_t kLibrary, uint32_t kIndex, typename R>
struct Wrapper {
  template <typename... A>
  static void* Of(void (*)(A...)) {
    return reinterpret_cast<void*>(&Wrapped<kLibrary, kIndex, R, A...>);
  }
};

template <uint32_t kLibrary>
void* WrapperIn(uint32_t index) {
  switch (index) {
#define MARKER_FUNCTION(table, operation, name, result, types, arguments) \
  case kIndexOf_##name:                                                   \
    return Wrapper<kLibrary, kIndexOf_##name, result>::Of(static_cast<void(*) types>(nullptr));
#include "sdk/marker_functions.inc"
#undef MARKER_FUNCTION
    default:
      return nullptr;
  }
}

using WrappersOfLibrary = void* (*)(uint32_t index);
constexpr WrappersOfLibrary kWrappers[kLibraries] = {WrapperIn<0>, WrapperIn<1>, WrapperIn<2>,
                                                     WrapperIn<3>};

// Null: the library does not have it.
void** EntryOf(void** tables, uint64_t count, const ApiFunction& function) {
  const uint64_t number = function.callback_kind - ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API;
  if (number >= count || tables[number] == nullptr) return nullptr;
  char* const table = static_cast<char*>(tables[number]);
  uint64_t bytes = 0;
  memcpy(&bytes, table, sizeof bytes);
  const uint64_t place = kSizeBytes + static_cast<uint64_t>(function.operation) * sizeof(void*);
  return place + sizeof(void*) > bytes ? nullptr : reinterpret_cast<void**>(table + place);
}

}  // namespace

MarkerTracing::MarkerTracing(ApiCalls* calls) : calls_(calls) { g_calls = calls; }

bool MarkerTracing::OnTables(void** tables, uint64_t count) {
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < count_; ++i) {
    if (libraries_[i] == tables[0]) return false;
  }
  if (count_ == kLibraries) {
    Warn("markers of a ROCTx library are not told to tools in process %d: there are more than %u",
         static_cast<int>(getpid()), kLibraries);
    return true;
  }
  const uint32_t library = count_++;
  libraries_[library] = tables[0];
  for (uint32_t i = 0; i < kMarkerFunctionCount; ++i) {
    const ApiFunction& function = kMarkerFunctions[i].api;
    if (!calls_->Asked(function)) continue;
    void** const entry = EntryOf(tables, count, function);
    if (entry == nullptr) continue;
    void* const before = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
    if (before == nullptr) continue;
    g_real[library][i].store(before, std::memory_order_release);  // pairs with the load in Wrapped
    __atomic_store_n(entry, kWrappers[library](i), __ATOMIC_RELEASE);
  }
  return true;
}

}  // namespace rtl::sdk
