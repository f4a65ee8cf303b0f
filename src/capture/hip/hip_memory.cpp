// SPDX-License-Identifier: MIT
#include "capture/hip/hip_memory.h"

#include <stdint.h>
#include <string.h>

#include <atomic>

#include "base/loaded_image.h"
#include "base/thread_state.h"
#include "capture/hip/hip_tables.h"

namespace rtl::capture {
namespace {

// most null entries of a table: HIP declares some functions only
constexpr uint64_t kMostMissing = 16;

std::atomic<uint32_t> trying{0};  // the thread that tries a table; zero: none
std::atomic<bool> arrived{false};

bool Arrives() {
  if (trying.load(std::memory_order_relaxed) != ThreadId::Current()) return false;
  arrived.store(true, std::memory_order_relaxed);
  return true;
}

// Functions that replace an entry while it is tried. They pass calls of other threads through.
using NameOf = const char* (*)(uint32_t id);
std::atomic<NameOf> name_of{nullptr};
const char* TryNameOf(uint32_t id) { return Arrives() ? nullptr : name_of.load()(id); }

struct Size3 {
  uint32_t x, y, z;
};
using Push = int32_t (*)(Size3 grid, Size3 block, size_t shared, void* stream);
std::atomic<Push> push{nullptr};
int32_t TryPush(Size3 grid, Size3 block, size_t shared, void* stream) {
  return Arrives() ? 0 : push.load()(grid, block, shared, stream);
}

bool IsTable(const LoadedImage& image, const LoadedImage::Range& data, const uint64_t* at) {
  const uint64_t functions = at[0] / 8 - 1;
  if (reinterpret_cast<uintptr_t>(at + 1 + functions) > data.end) return false;
  uint64_t missing = 0;
  for (uint64_t i = 1; i <= functions; ++i) {
    if (at[i] == 0 && functions > kMostMissing && ++missing <= kMostMissing) continue;
    if (!image.IsCode(at[i])) return false;
  }
  return true;
}

// Calls `function` by its symbol, while `instead` replaces `*entry`. True if the call arrives at
// that entry.
template <typename F, typename... A>
bool Tries(const HipLibrary& hip, const char* function, void** entry, std::atomic<F>* former,
           F instead, A... arguments) {
  const auto exported = reinterpret_cast<F>(hip.Symbol(function));
  if (exported == nullptr) return false;
  void* const there = *entry;
  former->store(reinterpret_cast<F>(there));
  arrived.store(false, std::memory_order_relaxed);
  trying.store(ThreadId::Current(), std::memory_order_relaxed);
  __atomic_store_n(entry, reinterpret_cast<void*>(instead), __ATOMIC_RELEASE);
  (void)exported(arguments...);
  __atomic_store_n(entry, there, __ATOMIC_RELEASE);
  trying.store(0, std::memory_order_relaxed);
  return arrived.load(std::memory_order_relaxed);
}

bool IsInUse(const HipLibrary& hip, bool compiler, void* table) {
  auto** const entries = static_cast<void**>(table) + 1;
  constexpr Size3 kOne = {1, 1, 1};
  // The compiler's table is tried with its second entry, which pushes the configuration of a
  // launch. Its first entry pops this configuration again.
  return compiler ? Tries<Push>(hip, "__hipPushCallConfiguration", entries + 1, &push, TryPush,
                                kOne, kOne, size_t{0}, static_cast<void*>(nullptr))
                  : Tries<NameOf>(hip, "hipApiName", entries, &name_of, TryNameOf, 1u);
}

}  // namespace

void* FindHipTable(const HipLibrary& hip, const char* name, bool registered) {
  const auto fill = reinterpret_cast<NameOf>(hip.Symbol("hipApiName"));
  // A HIP that registers its table will do so by itself. Calling HIP here would make it register
  // the table now.
  const bool registers = hip.Symbol("rocprofiler_register_library_api_table") != nullptr;
  if (fill == nullptr || (registers && !registered)) return nullptr;
  const LoadedImage image(reinterpret_cast<const void*>(fill));
  (void)fill(1);  // makes HIP fill in its table, if this is the first call of HIP
  const bool compiler = strcmp(name, "hip_compiler") == 0;
  for (size_t i = 0; i < image.data_count(); ++i) {
    const LoadedImage::Range& data = image.data()[i];
    for (uintptr_t at = (data.begin + 7) & ~uintptr_t{7}; at + 16 <= data.end; at += 8) {
      auto* const words = reinterpret_cast<uint64_t*>(at);
      HipTables::Entries entries;
      // Checks for the size of a known table. Most words fail this check.
      if (words[0] % 8 != 0 || words[0] < 80 || words[0] > 32'768) continue;
      if (!HipTables::Check(name, words, &entries).ok()) continue;
      if (compiler && entries.all != entries.known) continue;
      if (IsTable(image, data, words) && IsInUse(hip, compiler, words)) return words;
    }
  }
  return nullptr;
}

}  // namespace rtl::capture
