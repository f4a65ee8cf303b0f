// SPDX-License-Identifier: MIT
// librtl_hip.so: functions with HIP's names, for LD_PRELOAD. Each reports its beginning and its end
// to the tracer and calls HIP's function in between. Its only state is the addresses of these.
//
// Threads    any
// Blocking   the first call of each function takes the loader's lock; the very first call loads
//            librtl.so when a trace with HIP calls is requested, and librocprofiler-sdk.so.1 when
//            the environment names a tool for it
// Errors     none of its own: without a tracer every call passes through. A function that this HIP
//            lacks returns "not supported"
// Why        docs/adr/0028-preloaded-functions.md
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include <atomic>
#include <type_traits>

#include "base/config.h"
#include "base/environment.h"
#include "base/library_beside.h"
#include "capture/hip/hip_function.h"
#include "capture/hip/hip_library.h"
#include "capture/hip/preload_door.h"
#include "model/event_kinds.h"

#define RTL_EXPORT __attribute__((visibility("default")))

namespace rtl {
namespace {

using namespace capture::hip_function;

constexpr char kTracer[] = "librtl.so";
constexpr char kSdk[] = "librocprofiler-sdk.so.1";

#define RTL_HIP_ENTRY(...)  // has no symbol

constexpr const char* kCalls[] = {
#define RTL_HIP(place, result, symbol, call, ...) #call,
#include "capture/hip/hip_functions.inc"
};
constexpr const char* kSymbols[] = {
#undef RTL_HIP
#define RTL_HIP(place, result, symbol, call, ...) #symbol,
#include "capture/hip/hip_functions.inc"
};
#undef RTL_HIP
constexpr size_t kCount = sizeof kCalls / sizeof *kCalls;

constinit std::atomic<void*> real[kCount] = {};  // HIP's function; null: not looked up yet
constinit capture::PreloadDoor door = {};        // null: no listener

// A first guess; librtl.so decides.
bool CallsAreWanted() {
  const char* const mode = EnvironmentValue("RTL_MODE");
  const char* const words = EnvironmentValue("RTL_EVENTS");
  const bool by_mode = mode != nullptr && (strcmp(mode, "hip") == 0 || strcmp(mode, "clr") == 0);
  EventSet events;
  const bool by_events = words != nullptr && ParseEvents(words, &events).ok() &&
                         (events.Has(EventKind::kHipCall) || events.Has(EventKind::kCompilerCall));
  return (by_mode || by_events) && TraceRequested(EnvironmentValue);
}

constinit const void* in_hip = nullptr;  // a function of HIP

// The listener that `library` returns; null members: none.
capture::PreloadDoor Ask(void* library) {
  using Open = const capture::PreloadDoor* (*)(uint32_t, const char* const*, size_t, const void*);
  const auto open =
      library == nullptr ? nullptr : reinterpret_cast<Open>(dlsym(library, "rtl_hip_door"));
  const capture::PreloadDoor* const opened =
      open == nullptr ? nullptr : open(capture::kPreloadDoorVersion, kCalls, kCount, in_hip);
  return opened == nullptr ? capture::PreloadDoor{} : *opened;
}

// Finds the listener: of librtl.so, or of the library for tools. Both use the same engine, so
// either listener serves both.
capture::PreloadDoor FindDoor() {
  const bool traced = CallsAreWanted();
  const capture::PreloadDoor trace =
      traced ? Ask(FindOrLoadBeside(&door, kTracer, true)) : capture::PreloadDoor{};
  const capture::PreloadDoor tools =
      Ask(FindOrLoadBeside(&door, kSdk, EnvironmentValue("ROCP_TOOL_LIBRARIES") != nullptr));
  return trace.enter == nullptr ? tools : trace;
}

// A tool may call HIP during this query.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool opening = false;

void OpenDoor() {
  opening = true;
  door = FindDoor();
  opening = false;
}

// Finds the function in the next library in symbol order. If HIP was loaded with local symbols,
// finds it in HIP.
[[gnu::cold, gnu::noinline]] void* FindReal(size_t place) {
  void* found = dlsym(RTLD_NEXT, kSymbols[place]);
  if (found == nullptr) {
    capture::HipLibrary library;
    if (library.Find()) found = library.Symbol(kSymbols[place]);
  }
  // The tracer needs HIP to be loaded, because it checks which HIP it is.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (found != nullptr && !opening) {
    const void* none = nullptr;
    __atomic_compare_exchange_n(&in_hip, &none, found, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    (void)pthread_once(&once, OpenDoor);  // cannot fail
  }
  real[place].store(found, std::memory_order_release);  // (A) publishes `door`, too
  return found;
}

template <typename R>
R Absent() {
  if constexpr (std::is_same_v<R, Error>) return kNotSupported;
  if constexpr (!std::is_void_v<R>) return R{};
}

template <size_t kPlace, typename R, typename... P>
[[gnu::always_inline]] inline R Call(P... arguments) {
  void* function = real[kPlace].load(std::memory_order_acquire);  // pairs with (A)
  if (function == nullptr) [[unlikely]] {
    function = FindReal(kPlace);
    if (function == nullptr) return Absent<R>();
  }
  return CallThrough<R, P...>(reinterpret_cast<R (*)(P...)>(function), door, kPlace, arguments...);
}

}  // namespace
}  // namespace rtl

extern "C" {

using namespace rtl::capture::hip_function;

// librtl.so finds this symbol and knows that calls may still arrive through this library.
RTL_EXPORT extern const char rtl_hip_preloaded[] = "librtl_hip.so";

#define RTL_HIP(place, result, symbol, call, parameters, ...) \
  RTL_EXPORT result symbol parameters { return rtl::Call<place, result>(__VA_ARGS__); }
#include "capture/hip/hip_functions.inc"

}  // extern "C"
