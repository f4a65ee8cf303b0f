// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include <new>

#include "base/environment.h"
#include "base/log.h"
#include "counters/definitions.h"

// RTL_COUNTER_DEFS is a macro of the build: the path of spec/counters/counter_defs.yaml.
asm(R"(
  .pushsection .rodata
  .hidden rtl_counter_definitions
  .hidden rtl_counter_definitions_end
  .globl rtl_counter_definitions
  .globl rtl_counter_definitions_end
rtl_counter_definitions:
  .incbin ")" RTL_COUNTER_DEFS R"("
rtl_counter_definitions_end:
  .byte 0
  .popsection
)");
extern "C" __attribute__((visibility("hidden"))) const char rtl_counter_definitions[];
extern "C" __attribute__((visibility("hidden"))) const char rtl_counter_definitions_end[];

namespace rtl::counters {
namespace {

constexpr char kFileName[] = "counter_defs.yaml";
constexpr char kInstalled[] = "/opt/rocm/share/rocprofiler-sdk";

pthread_once_t g_once = PTHREAD_ONCE_INIT;
alignas(Definitions) char g_memory[sizeof(Definitions)];
Definitions* g_known = nullptr;

// Returns whether it is ok.
bool OkOrWarn(const Status& read) {
  if (!read.ok()) Warn("definitions of counters: %s", read.message());
  return read.ok();
}

}  // namespace

void ReadInstalledDefinitions(Definitions* known) {
  OkOrWarn(known->Append(BuiltInText(), {}));
  const char* const asked = EnvironmentValue("ROCPROFILER_METRICS_PATH");
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", asked == nullptr ? kInstalled : asked, kFileName);
  if (asked != nullptr || access(path, R_OK) == 0) OkOrWarn(known->AppendFile(path));
}

namespace {

// The text that LoadDefinitions was given, if it was called.
std::string_view g_given;
bool g_append = false;
Loaded g_loaded = Loaded::kTooLate;

void Read() {
  auto* const known = new (g_memory) Definitions;
  const bool given = g_given.data() != nullptr;
  if (!given || g_append) {
    ReadInstalledDefinitions(known);
    if (const char* const own = EnvironmentValue("RTL_COUNTER_FILE"); own != nullptr)
      OkOrWarn(known->AppendFile(own));
  }
  if (given)
    g_loaded = OkOrWarn(known->Append(g_given, "tool")) ? Loaded::kOk : Loaded::kUnreadable;
  __atomic_store_n(&g_known, known, __ATOMIC_RELEASE);
}

}  // namespace

std::string_view BuiltInText() {
  return {rtl_counter_definitions,
          static_cast<size_t>(rtl_counter_definitions_end - rtl_counter_definitions)};
}

Loaded LoadDefinitions(std::string_view yaml, bool append) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  Loaded loaded = Loaded::kTooLate;
  if (__atomic_load_n(&g_known, __ATOMIC_ACQUIRE) == nullptr) {
    g_given = yaml;
    g_append = append;
    pthread_once(&g_once, Read);
    loaded = g_loaded;
    g_loaded = Loaded::kTooLate;
  }
  pthread_mutex_unlock(&mutex);
  return loaded;
}

Definitions* KnownDefinitions() {
  pthread_once(&g_once, Read);
  return g_known;
}

}  // namespace rtl::counters
