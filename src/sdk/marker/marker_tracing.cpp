// SPDX-License-Identifier: MIT
#include "sdk/marker/marker_tracing.h"

#include <string.h>
#include <unistd.h>

#include <atomic>
#include <type_traits>

#include "base/log.h"
#include "sdk/marker/marker_functions.h"

namespace rtl::sdk {
namespace {

constexpr uint32_t kLibraries = MarkerTracing::kMostLibraries;
constexpr uint64_t kSizeBytes = sizeof(uint64_t);  // a table begins with its size

constinit ApiCalls* g_marker_calls = nullptr;
constinit MarkerRanges* g_ranges = nullptr;
// The functions that the tables had before, indexed like kMarkerFunctions.
constinit std::atomic<void*> g_marker_real[kLibraries][kMarkerFunctionCount] = {};

enum : uint32_t {
#define MARKER_FUNCTION(table, operation, name, ...) kIndexOf_##name,
#include "names/marker_functions.inc"
#undef MARKER_FUNCTION
  kMarkerNames
};
static_assert(kMarkerNames == kMarkerFunctionCount);

// The operation of a function in MARKER_CORE_RANGE_API; kNoRange if it has none.
constexpr int32_t kNoRange = ROCPROFILER_MARKER_CORE_RANGE_API_ID_NONE;
constexpr int32_t RangeOf(uint32_t index) {
  switch (index) {
    case kIndexOf_roctxMarkA:
      return ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxMarkA;
    case kIndexOf_roctxRangePushA:
    case kIndexOf_roctxRangePop:
      return ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxThreadRangeA;
    case kIndexOf_roctxRangeStartA:
    case kIndexOf_roctxRangeStop:
      return ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxProcessRangeA;
    case kIndexOf_roctxGetThreadId:
      return ROCPROFILER_MARKER_CORE_RANGE_API_ID_roctxGetThreadId;
    default:
      return kNoRange;
  }
}

template <typename R, typename... A>
R Told(const ApiFunction& function, R (*real)(A...), A... args) {
  if (!g_marker_calls->Listening(function)) return real(args...);
  rocprofiler_callback_tracing_marker_api_data_t payload = {};
  payload.size = sizeof payload;
  size_t offset = 0;
  (PutArgument(reinterpret_cast<char*>(&payload.args), &offset, args), ...);
  ApiCalls::Call call;
  g_marker_calls->Begin(&call, function, &payload);
  if constexpr (std::is_void_v<R>) {
    real(args...);
    g_marker_calls->End(&call);
  } else {
    const R result = real(args...);
    // Also correct for a 32-bit result.
    payload.retval.int64_t_retval = static_cast<int64_t>(result);
    g_marker_calls->End(&call);
    return result;
  }
}

template <uint32_t kLibrary, uint32_t kIndex, typename R, typename... A>
R Called(A... args) {
  auto* const real = reinterpret_cast<R (*)(A...)>(
      g_marker_real[kLibrary][kIndex].load(std::memory_order_acquire));
  return Told<R, A...>(kMarkerFunctions[kIndex].api, real, args...);
}

// HOT: installed in a library's table. The range event includes the calls that begin and end it.
template <uint32_t kLibrary, uint32_t kIndex, typename R, typename... A>
R MarkerWrapped(A... args) {
  constexpr auto kCall = &Called<kLibrary, kIndex, R, A...>;
  if (!g_ranges->asked()) return kCall(args...);
  if constexpr (kIndex == kIndexOf_roctxRangePushA) {
    const uint32_t range = g_ranges->Begin(RangeOf(kIndex), args...);
    const R level = kCall(args...);
    g_ranges->Push(kLibrary, range);
    return level;
  } else if constexpr (kIndex == kIndexOf_roctxRangePop) {
    const uint32_t range = g_ranges->Pop(kLibrary);
    const R level = kCall(args...);
    g_ranges->End(range);
    return level;
  } else if constexpr (kIndex == kIndexOf_roctxRangeStartA) {
    const uint32_t range = g_ranges->Begin(RangeOf(kIndex), args...);
    const R id = kCall(args...);
    g_ranges->Start(kLibrary, id, range);
    return id;
  } else if constexpr (kIndex == kIndexOf_roctxRangeStop) {
    const uint32_t range = g_ranges->Stop(kLibrary, args...);
    kCall(args...);
    g_ranges->End(range);
  } else if constexpr (RangeOf(kIndex) != kNoRange) {
    return Told<R, A...>(kMarkerRanges[RangeOf(kIndex)].api, kCall, args...);
  } else {
    return kCall(args...);
  }
}

template <uint32_t kLibrary, uint32_t kIndex, typename R>
struct MarkerWrapper {
  template <typename... A>
  static void* Of(void (*)(A...)) {
    return reinterpret_cast<void*>(&MarkerWrapped<kLibrary, kIndex, R, A...>);
  }
};

template <uint32_t kLibrary>
void* MarkerWrapperIn(uint32_t index) {
  switch (index) {
#define MARKER_FUNCTION(table, operation, name, result, types, arguments) \
  case kIndexOf_##name:                                                   \
    return MarkerWrapper<kLibrary, kIndexOf_##name, result>::Of(          \
        static_cast<void(*) types>(nullptr));
#include "names/marker_functions.inc"
#undef MARKER_FUNCTION
    default:
      return nullptr;
  }
}

using MarkerWrappersOfLibrary = void* (*)(uint32_t index);
constexpr MarkerWrappersOfLibrary kWrappers[kLibraries] = {MarkerWrapperIn<0>, MarkerWrapperIn<1>,
                                                           MarkerWrapperIn<2>, MarkerWrapperIn<3>};

// Returns null if the library lacks the function.
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

MarkerTracing::MarkerTracing(ApiCalls* calls) : calls_(calls), ranges_(calls) {
  g_marker_calls = calls;
  g_ranges = &ranges_;
}

bool MarkerTracing::Asked(uint32_t index) const {
  const int32_t range = RangeOf(index);
  return calls_->Asked(kMarkerFunctions[index].api) ||
         (range != kNoRange && calls_->Asked(kMarkerRanges[range].api));
}

bool MarkerTracing::OnTables(void** tables, uint64_t count) {
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < count_; ++i) {
    if (libraries_[i] == tables[0]) return false;
  }
  if (count_ == kLibraries) {
    Warn(
        "markers of a ROCTx library are not reported to tools in process %d: there are more than "
        "%u",
        static_cast<int>(getpid()), kLibraries);
    return true;
  }
  const uint32_t library = count_++;
  libraries_[library] = tables[0];
  for (uint32_t i = 0; i < kMarkerFunctionCount; ++i) {
    const ApiFunction& function = kMarkerFunctions[i].api;
    if (!Asked(i)) continue;
    void** const entry = EntryOf(tables, count, function);
    if (entry == nullptr) continue;
    void* const before = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
    if (before == nullptr) continue;
    g_marker_real[library][i].store(
        before, std::memory_order_release);  // pairs with the load in MarkerWrapped
    __atomic_store_n(entry, kWrappers[library](i), __ATOMIC_RELEASE);
  }
  return true;
}

}  // namespace rtl::sdk
