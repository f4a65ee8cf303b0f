// SPDX-License-Identifier: MIT
// librtl_hip.so: functions with the names of HIP's, for LD_PRELOAD. Each tells the tracer of its
// beginning and its end and calls HIP's own in between. It keeps no state but where those are.
//
// Threads    any
// Blocking   the first call of each function takes the loader's lock; the very first one loads
//            librtl.so when a trace with HIP calls is asked for
// Errors     none of its own: without a tracer every call passes through. A function that this HIP
//            does not have answers that it is not supported
// Why        docs/adr/0028-preloaded-functions.md
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <atomic>
#include <type_traits>

#include "base/config.h"
#include "base/environment.h"
#include "capture/hip/hip_library.h"
#include "capture/hip/preload_door.h"

#define RTL_EXPORT __attribute__((visibility("default")))

// How arguments travel, whatever HIP calls their types.
using Word = uint64_t;  // one integer register, all of it: nobody else may widen what is narrower
struct Dim3 {
  uint32_t x, y, z;
};
template <size_t kBytes>
struct Bytes {
  uint8_t bytes[kBytes];
};
enum Error : int32_t { kNotSupported = 801 };

namespace rtl {
namespace {

constexpr char kTracer[] = "librtl.so";

constexpr const char* kCalls[] = {
#define RTL_HIP(place, result, symbol, call, ...) #call,
#include "hip_preload/hip_functions.inc"
#undef RTL_HIP
};
constexpr const char* kSymbols[] = {
#define RTL_HIP(place, result, symbol, call, ...) #symbol,
#include "hip_preload/hip_functions.inc"
#undef RTL_HIP
};
constexpr size_t kCount = sizeof kCalls / sizeof *kCalls;

constinit std::atomic<void*> real[kCount] = {};  // HIP's own; null: not looked up yet
constinit capture::PreloadDoor door = {};        // null: nobody listens

void* LoadBesideThisLibrary() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&door), &info) == 0) return nullptr;
  const char* const slash = strrchr(info.dli_fname, '/');
  if (slash == nullptr) return nullptr;
  char path[PATH_MAX];
  const int used = snprintf(path, sizeof path, "%.*s/%s", static_cast<int>(slash - info.dli_fname),
                            info.dli_fname, kTracer);
  if (used < 0 || static_cast<size_t>(used) >= sizeof path) return nullptr;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

bool CallsAreWanted() {
  const char* const mode = EnvironmentValue("RTL_MODE");
  return mode != nullptr && strcmp(mode, "hip") == 0 && TraceRequested(EnvironmentValue);
}

void OpenDoor() {
  if (!CallsAreWanted()) return;
  void* library = dlopen(kTracer, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) library = LoadBesideThisLibrary();
  if (library == nullptr) return;
  using Open = const capture::PreloadDoor* (*)(uint32_t, const char* const*, size_t);
  const auto open = reinterpret_cast<Open>(dlsym(library, "rtl_hip_door"));
  const capture::PreloadDoor* const opened =
      open == nullptr ? nullptr : open(capture::kPreloadDoorVersion, kCalls, kCount);
  if (opened != nullptr) door = *opened;
}

// Of the library that follows in the order of symbols, or, when HIP was loaded without showing its
// symbols to everybody, of HIP wherever it is.
[[gnu::cold, gnu::noinline]] void* FindReal(size_t place) {
  void* found = dlsym(RTLD_NEXT, kSymbols[place]);
  if (found == nullptr) {
    capture::HipLibrary library;
    if (library.Find()) found = library.Symbol(kSymbols[place]);
  }
  // Not before: the tracer wants to know which HIP it is.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (found != nullptr) (void)pthread_once(&once, OpenDoor);  // cannot fail
  real[place].store(found, std::memory_order_release);        // (A) publishes `door`, too
  return found;
}

template <typename R>
R Absent() {
  if constexpr (std::is_same_v<R, Error>) return kNotSupported;
  if constexpr (!std::is_void_v<R>) return R{};
}

// Arguments one behind the other.
class Slots {
 public:
  void Add(Word value) { slots_[used_++] = value; }
  void Add(float value) { memcpy(&slots_[used_++], &value, sizeof value); }
  void Add(const Dim3& value) {
    memcpy(&slots_[used_], &value, sizeof value);
    used_ += 2;
  }
  template <size_t kBytes>
  void Add(const Bytes<kBytes>&) {}
  const uint64_t* data() const { return slots_; }

 private:
  size_t used_ = 0;
  uint64_t slots_[16];  // only what was added is read
};

// HOT: once per call. The only place with behaviour.
template <size_t kPlace, typename R, typename... P>
[[gnu::always_inline]] inline R Call(P... arguments) {
  void* function = real[kPlace].load(std::memory_order_acquire);  // pairs with (A)
  if (function == nullptr) [[unlikely]] {
    function = FindReal(kPlace);
    if (function == nullptr) return Absent<R>();
  }
  const auto hip = reinterpret_cast<R (*)(P...)>(function);
  void* const entered = door.enter == nullptr ? nullptr : door.enter(kPlace);
  if (entered == nullptr) return hip(arguments...);
  Slots slots;
  (slots.Add(arguments), ...);
  if constexpr (std::is_void_v<R>) {
    hip(arguments...);
    door.exit(entered, slots.data(), 0, false);
  } else {
    const R result = hip(arguments...);
    constexpr bool kIsError = std::is_same_v<R, Error>;
    door.exit(entered, slots.data(), kIsError ? static_cast<int32_t>(result) : 0, kIsError);
    return result;
  }
}

}  // namespace
}  // namespace rtl

extern "C" {

// By this librtl.so knows that calls may still come through here.
RTL_EXPORT extern const char rtl_hip_preloaded[] = "librtl_hip.so";

#define RTL_HIP(place, result, symbol, call, parameters, ...) \
  RTL_EXPORT result symbol parameters { return rtl::Call<place, result>(__VA_ARGS__); }
#include "hip_preload/hip_functions.inc"
#undef RTL_HIP

}  // extern "C"
