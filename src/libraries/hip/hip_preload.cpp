// SPDX-License-Identifier: MIT
// librtl_hip.so: functions with HIP's names, for LD_PRELOAD. Each function reports its beginning
// and its end to the tracer, and calls HIP's function in between. The library's only state is the
// addresses of HIP's functions. A program that looks a function of HIP up gets this library's
// function, too (lookups.h).
//
// Threads    any
// Blocking   the first call of each function takes the loader's lock and, where HIP was loaded with
//            local symbols, a lock of its own; the very first call loads
//            librtl.so when a trace with HIP calls is requested, and librocprofiler-sdk.so.1 when
//            the environment names a tool for it
// Errors     none of its own: without a tracer every call passes through. A function that this HIP
//            lacks returns "not supported"
// Why        docs/adr/0028-preloaded-functions.md
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <atomic>
#include <type_traits>

#include "base/config.h"
#include "base/environment.h"
#include "base/library_beside.h"
#include "base/loaded_objects.h"
#include "capture/hip/hip_call_hooks.h"
#include "capture/hip/hip_function.h"
#include "capture/hip/hip_library.h"
#include "libraries/hip/lookups.h"
#include "model/event_kinds.h"

#define RTL_EXPORT __attribute__((visibility("default")))

namespace rtl {
namespace {

using namespace capture::hip_function;

constexpr char kTracer[] = "librtl.so";
constexpr char kSdk[] = "librocprofiler-sdk.so.1";

#define RTL_HIP_ENTRY(...)  // this function has no symbol

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

// HIP's functions. Null: not looked up yet, or HIP is not among the program's global symbols.
constinit std::atomic<void*> real[kCount] = {};
constinit capture::HipCallHooks hooks = {};  // null members: no listener

// Guesses whether calls are wanted; librtl.so makes the decision.
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

// Asks `library` for its listener. Members are null if it has none.
capture::HipCallHooks Ask(void* library) {
  using Open = const capture::HipCallHooks* (*)(uint32_t, const char* const*, size_t, const void*);
  const auto open =
      library == nullptr ? nullptr : reinterpret_cast<Open>(dlsym(library, "rtl_hip_hooks"));
  const capture::HipCallHooks* const opened =
      open == nullptr ? nullptr : open(capture::kHipCallHooksVersion, kCalls, kCount, in_hip);
  return opened == nullptr ? capture::HipCallHooks{} : *opened;
}

// Finds the listener: of librtl.so, or of the library for tools. Both use the same engine, so
// either listener serves both.
capture::HipCallHooks FindHooks() {
  const bool traced = CallsAreWanted();
  const capture::HipCallHooks trace =
      traced ? Ask(FindOrLoadBeside(&hooks, kTracer, true)) : capture::HipCallHooks{};
  const capture::HipCallHooks tools =
      Ask(FindOrLoadBeside(&hooks, kSdk, EnvironmentValue("ROCP_TOOL_LIBRARIES") != nullptr));
  return trace.enter == nullptr ? tools : trace;
}

// True while this thread opens the hooks: a tool may call HIP then.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool opening = false;

void OpenHooks() {
  opening = true;
  hooks = FindHooks();
  opening = false;
}

// A library whose HIP was loaded with local symbols, and the function that each of its calls goes
// to. Two libraries may use two HIPs.
struct Caller {
  uintptr_t begin;
  uintptr_t end;
  void* handle;
  std::atomic<bool> has_another_hip;  // a HIP other than the one of `in_hip`; set before `real`
  std::atomic<void*> real[kCount];
};
constexpr uint32_t kMostCallers = 32;
constinit Caller* callers[kMostCallers] = {};
constinit std::atomic<uint32_t> caller_count{0};
constinit pthread_mutex_t callers_mutex = PTHREAD_MUTEX_INITIALIZER;

Caller* FindCaller(uintptr_t address) {
  const uint32_t count = caller_count.load(std::memory_order_acquire);  // pairs with (B)
  for (uint32_t i = 0; i < count; ++i) {
    if (address - callers[i]->begin < callers[i]->end - callers[i]->begin) return callers[i];
  }
  return nullptr;
}

// Returns null if the address is in no library, or if there are too many callers.
[[gnu::cold, gnu::noinline]] Caller* AddCaller(uintptr_t address) {
  SharedObject object;
  if (!SharedObjectOf(reinterpret_cast<void*>(address), &object)) return nullptr;
  // the program itself: its symbols are the global ones
  if (object.path[0] == '\0') return nullptr;
  (void)pthread_mutex_lock(&callers_mutex);  // cannot fail for a mutex of the default kind
  Caller* caller = FindCaller(address);
  const uint32_t count = caller_count.load(std::memory_order_relaxed);
  void* const handle = caller == nullptr && count < kMostCallers ? HandleOf(object) : nullptr;
  if (handle != nullptr) {
    void* const memory =
        mmap(nullptr, sizeof(Caller), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
      caller = static_cast<Caller*>(memory);  // zeroed memory is a valid state of its atomics
      caller->handle = handle;                // the library stays loaded
      ExtentOf(object, &caller->begin, &caller->end);
      callers[count] = caller;
      caller_count.store(count + 1, std::memory_order_release);  // (B)
    }
  }
  (void)pthread_mutex_unlock(&callers_mutex);
  return caller;
}

// Finds the function in the HIP with which this caller was loaded, or else in the HIP that serves
// such libraries.
void* FindLocal(const Caller* caller, size_t place) {
  void* const found = caller == nullptr ? nullptr : dlsym(caller->handle, kSymbols[place]);
  return found != nullptr ? found : hip_preload::LocalFunction(kSymbols[place]);
}

bool LieInOneLibrary(const void* one, const void* other) {
  SharedObject object;
  if (!SharedObjectOf(one, &object)) return false;
  const ElfW(Addr) base = object.base;
  return SharedObjectOf(other, &object) && object.base == base;
}

struct Found {
  void* function;
  uint32_t place;  // the index that the listener gets
};

Found OfCaller(const Caller* caller, void* function, size_t place) {
  const bool other = caller != nullptr && caller->has_another_hip.load(std::memory_order_relaxed);
  return {function, static_cast<uint32_t>(place) | (other ? capture::kOfAnotherHip : 0)};
}

// Finds HIP's function in the next library in symbol order, or in the caller's own HIP.
[[gnu::cold, gnu::noinline]] Found FindReal(size_t place, uintptr_t address) {
  Caller* caller = FindCaller(address);
  if (caller != nullptr) {
    void* const known = caller->real[place].load(std::memory_order_acquire);  // pairs with (A)
    if (known != nullptr) return OfCaller(caller, known, place);
  }
  std::atomic<void*>* cache = &real[place];
  void* found = dlsym(RTLD_NEXT, kSymbols[place]);
  if (found == nullptr) {
    if (caller == nullptr) caller = AddCaller(address);
    cache = caller == nullptr ? nullptr : &caller->real[place];
    found = FindLocal(caller, place);
  }
  // The hooks are opened only when HIP is loaded, because the tracer checks which HIP it is.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (found != nullptr && !opening) {
    const void* none = nullptr;
    __atomic_compare_exchange_n(&in_hip, &none, found, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    (void)pthread_once(&once, OpenHooks);  // cannot fail
  }
  if (caller != nullptr && found != nullptr)
    caller->has_another_hip.store(!LieInOneLibrary(found, in_hip), std::memory_order_relaxed);
  if (cache != nullptr)
    cache->store(found, std::memory_order_release);  // (A) publishes `hooks`, too
  return OfCaller(caller, found, place);
}

constexpr bool IsNamed(const char* name, const char* other) {
  while (*name != '\0' && *name == *other) ++name, ++other;
  return *name == *other;
}

// True for functions that look another function up: they get a name, and an address for the result.
constexpr bool LooksUp(size_t place) {
  for (const char* name : {"hipGetProcAddress", "hipGetProcAddress_spt", "hipGetDriverEntryPoint",
                           "hipGetDriverEntryPoint_spt"}) {
    if (IsNamed(kSymbols[place], name)) return true;
  }
  return false;
}

// Replaces a function that HIP has given out by this library's function. For an old name HIP may
// give out the function of a newer name.
[[gnu::cold, gnu::noinline]] void GiveOurs(const char* name, void** function) {
  if (name == nullptr || function == nullptr || *function == nullptr) return;
  void* const found = *function;
  *function = hip_preload::WrapperFor(name, found);
  for (size_t i = 0; i < kCount && *function == found; ++i)
    *function = hip_preload::WrapperFor(kSymbols[i], found);
}

template <typename R>
R Absent() {
  if constexpr (std::is_same_v<R, Error>) return kNotSupported;
  if constexpr (!std::is_void_v<R>) return R{};
}

template <size_t kPlace, typename R, typename... P>
[[gnu::always_inline]] inline R Call(uintptr_t caller, P... arguments) {
  void* function = real[kPlace].load(std::memory_order_acquire);  // pairs with (A)
  uint32_t place = kPlace;
  if (function == nullptr) [[unlikely]] {
    const Found found = FindReal(kPlace, caller);
    if (found.function == nullptr) return Absent<R>();
    function = found.function;
    place = found.place;
  }
  const auto call = [&] {
    return CallThrough<R, P...>(reinterpret_cast<R (*)(P...)>(function), hooks, place,
                                arguments...);
  };
  if constexpr (LooksUp(kPlace)) {
    const R result = call();
    const Word words[] = {arguments...};
    if (static_cast<int32_t>(result) == 0)
      GiveOurs(reinterpret_cast<const char*>(words[0]), reinterpret_cast<void**>(words[1]));
    return result;
  } else {
    return call();
  }
}

}  // namespace
}  // namespace rtl

extern "C" {

using namespace rtl::capture::hip_function;

// librtl.so searches for this symbol. If it exists, calls may still arrive through this library.
RTL_EXPORT extern const char rtl_hip_preloaded[] = "librtl_hip.so";

#define RTL_HIP(place, result, symbol, call, parameters, ...)                     \
  RTL_EXPORT result symbol parameters {                                           \
    const auto caller = reinterpret_cast<uintptr_t>(__builtin_return_address(0)); \
    return rtl::Call<place, result>(caller __VA_OPT__(, ) __VA_ARGS__);           \
  }
#include "capture/hip/hip_functions.inc"

}  // extern "C"

namespace rtl::hip_preload {

// Defined after the functions, because it has their addresses.
void* WrapperOf(const char* symbol) {
#undef RTL_HIP
#define RTL_HIP(place, result, symbol, ...) reinterpret_cast<void*>(&::symbol),
  static void* const kFunctions[] = {
#include "capture/hip/hip_functions.inc"
  };
#undef RTL_HIP
  for (size_t i = 0; i < kCount; ++i) {
    if (strcmp(kSymbols[i], symbol) == 0) return kFunctions[i];
  }
  return nullptr;
}

}  // namespace rtl::hip_preload
