// SPDX-License-Identifier: MIT
// librtl_rccl.so: functions with RCCL's names, for LD_PRELOAD. Each function reports its beginning
// and its end to the tracer, and calls RCCL's function in between. The library's only state is the
// addresses of RCCL's functions.
//
// Threads    any
// Blocking   the first call of each function takes the loader's lock; the very first call loads
//            librtl.so when a trace with RCCL calls is requested, and librocprofiler-sdk.so.1 when
//            the environment names a tool for it
// Errors     none of its own: without a tracer every call passes through. A function that this RCCL
//            lacks returns ncclInvalidUsage
// Why        docs/adr/0078-rccl.md
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include <atomic>
#include <type_traits>

#include "base/config.h"
#include "base/environment.h"
#include "base/library_beside.h"
#include "base/loaded_objects.h"
#include "base/text.h"
#include "capture/rccl/rccl_function.h"
#include "model/event_kinds.h"

#define RTL_EXPORT __attribute__((visibility("default")))

namespace rtl {
namespace {

using namespace capture::rccl_function;

constexpr int kInvalidUsage = 5;

constexpr const char* kRcclSymbols[] = {
#define RCCL_FUNCTION(operation, name, ...) #name,
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION
    "ncclBcast"};
static_assert(sizeof kRcclSymbols / sizeof *kRcclSymbols == kBcastPlace + 1);

// RCCL's functions; null: not looked up yet.
constinit std::atomic<void*> real[kBcastPlace + 1] = {};
constinit std::atomic<void*> first_found{nullptr};  // the first function of RCCL that was found
// The address range of RCCL. A caller inside this range is RCCL itself, also on RCCL's own threads.
// Written before `real`.
constinit uintptr_t rccl_begin = 0, rccl_end = 0;
constinit const capture::RcclCallHooks* hooks = nullptr;  // null if there is no listener

// Guesses whether calls are wanted; librtl.so makes the decision.
bool CallsAreWanted() {
  const char* const words = EnvironmentValue("RTL_EVENTS");
  EventSet events;
  return words != nullptr && ParseEvents(words, &events).ok() && events.Has(EventKind::kRcclCall) &&
         TraceRequested(EnvironmentValue);
}

int RememberRccl(dl_phdr_info* info, size_t, void* path) {
  const char* const slash = strrchr(info->dlpi_name, '/');
  const char* const name = slash == nullptr ? info->dlpi_name : slash + 1;
  constexpr char kName[] = "librccl.so";
  if (strncmp(name, kName, sizeof kName - 1) != 0) return 0;
  return CopyText(static_cast<char*>(path), PATH_MAX, info->dlpi_name) ? 1 : 0;
}

// Finds an RCCL that was loaded with local symbols, as Python does.
void* FindInHiddenRccl(const char* symbol) {
  char path[PATH_MAX];
  if (dl_iterate_phdr(RememberRccl, path) == 0) return nullptr;
  void* const library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : dlsym(library, symbol);
}

// Asks `library` for its listener; null if it has none.
const capture::RcclCallHooks* Ask(void* library) {
  using Open = const capture::RcclCallHooks* (*)(uint32_t);
  const auto open =
      library == nullptr ? nullptr : reinterpret_cast<Open>(dlsym(library, "rtl_rccl_hooks"));
  return open == nullptr ? nullptr : open(capture::kRcclCallHooksVersion);
}

// True while this thread opens the hooks: a tool may call RCCL then.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool opening = false;

// Opens the hooks once, for both libraries: they use one engine, which has one listener.
void OpenHooks() {
  opening = true;
  SharedObject rccl;
  if (SharedObjectOf(first_found.load(std::memory_order_relaxed), &rccl))
    ExtentOf(rccl, &rccl_begin, &rccl_end);
  const capture::RcclCallHooks* const trace =
      CallsAreWanted() ? Ask(FindOrLoadBeside(&hooks, "librtl.so", true)) : nullptr;
  const bool tools_wanted = EnvironmentValue("ROCP_TOOL_LIBRARIES") != nullptr;
  const capture::RcclCallHooks* const tools =
      Ask(FindOrLoadBeside(&hooks, "librocprofiler-sdk.so.1", tools_wanted));
  hooks = trace == nullptr ? tools : trace;
  opening = false;
}

[[gnu::cold, gnu::noinline]] void* FindReal(uint32_t place) {
  void* found = dlsym(RTLD_NEXT, kRcclSymbols[place]);
  if (found == nullptr) found = FindInHiddenRccl(kRcclSymbols[place]);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (found != nullptr && !opening) {
    void* none = nullptr;
    (void)first_found.compare_exchange_strong(none, found, std::memory_order_relaxed);
    (void)pthread_once(&once, OpenHooks);  // cannot fail
  }
  real[place].store(found, std::memory_order_release);  // (A) publishes `hooks`, too
  return found;
}

template <uint32_t kPlace, typename R, typename... P>
R Call(const void* caller, P... arguments) {
  void* function = real[kPlace].load(std::memory_order_acquire);  // pairs with (A)
  if (function == nullptr) [[unlikely]] {
    function = FindReal(kPlace);
    if (function == nullptr) {
      if constexpr (std::is_same_v<R, int>)
        return kInvalidUsage;
      else
        return "this RCCL does not have the function";
    }
  }
  const auto from = reinterpret_cast<uintptr_t>(caller);
  const bool by_rccl = from >= rccl_begin && from < rccl_end;
  return CallThrough<kPlace, R, P...>(reinterpret_cast<R (*)(P...)>(function),
                                      by_rccl ? nullptr : hooks, arguments...);
}

}  // namespace
}  // namespace rtl

extern "C" {

using namespace rtl::capture::rccl_function;

#define RTL_RCCL_CALL(...) (__builtin_return_address(0) __VA_OPT__(, ) __VA_ARGS__)
#define RCCL_FUNCTION(operation, name, result, parameters, types, names, ...) \
  RTL_EXPORT result name parameters { return rtl::Call<operation, result> RTL_RCCL_CALL names; }
#include "capture/rccl/rccl_functions.inc"
#undef RCCL_FUNCTION
#undef RTL_RCCL_CALL

RTL_EXPORT int ncclBcast(void* buff, size_t count, int datatype, int root, void* comm,
                         void* stream) {
  return rtl::Call<kBcastPlace, int>(__builtin_return_address(0), buff, count, datatype, root, comm,
                                     stream);
}

}  // extern "C"
