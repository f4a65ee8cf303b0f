// SPDX-License-Identifier: MIT
// A tool for HSA_TOOLS_LIB that compares the tracer's view of the runtime's tables with the
// runtime. At compile time: every slot that the tracer touches is where this runtime's headers have
// it. At load time: every such slot is the one through which the function that the runtime exports
// under the slot's name goes. (For that check a function of the tool replaces the slot for a
// moment: the exported functions only jump through the table.)
#include <dlfcn.h>
#include <hsa/hsa.h>
#include <hsa/hsa_api_trace.h>
#include <hsa/hsa_ext_amd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include "capture/hsa/hsa_api.h"

namespace {

using rtl::capture::HsaSlot;
using rtl::capture::HsaSlotName;
using rtl::capture::HsaTables;
using rtl::capture::kHsaSlotCount;
using rtl::hsa_tables::kNoSlot;

constexpr size_t OffsetOf(uint32_t slot) {
  return rtl::hsa_tables::kVersionBytes + size_t{rtl::hsa_tables::kSlotBytes} * slot;
}
// Where the headers have no such function the runtime must not have the slot either.
template <typename Table>
constexpr bool IsBeyond(uint32_t slot) {
  return slot == kNoSlot || OffsetOf(slot) >= sizeof(Table);
}
constexpr bool kEngines = sizeof(::AmdExtTable) >= rtl::hsa_tables::kAmdWithEnginesBytes;

#define CHECK_SLOT(table, name, slot)                            \
  static_assert(                                                 \
      []<typename T>(T*) {                                       \
        if constexpr (requires(T t) { t.hsa_##name##_fn; }) {    \
          return offsetof(T, hsa_##name##_fn) == OffsetOf(slot); \
        } else {                                                 \
          return IsBeyond<T>(slot);                              \
        }                                                        \
      }(static_cast<table*>(nullptr)),                           \
      #name);
#define X(name, slot) CHECK_SLOT(::CoreApiTable, name, slot)
RTL_HSA_CORE_SLOTS(X)
#undef X
#define X(name, old_slot, new_slot) CHECK_SLOT(::AmdExtTable, name, kEngines ? new_slot : old_slot)
RTL_HSA_AMD_SLOTS(X)
RTL_HSA_AMD_TOOL_SLOTS(X)
#undef X

size_t g_called = kHsaSlotCount;

template <size_t kSlot>
uintptr_t Called() {
  g_called = kSlot;
  return 0;
}
using Function = uintptr_t (*)();
template <size_t... kSlots>
constexpr std::array<Function, sizeof...(kSlots)> MakeFunctions(std::index_sequence<kSlots...>) {
  return {Called<kSlots>...};
}
constexpr auto kFunctions = MakeFunctions(std::make_index_sequence<kHsaSlotCount>());

// Zeros for any parameters of the function; it does not read them.
void CallWithZeros(void* function) {
  using Any = uintptr_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                            uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
  (void)reinterpret_cast<Any>(function)(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

struct Findings {
  size_t right = 0;
  std::string wrong, not_exported, absent;
};

void CheckSlot(size_t i, HsaTables* tables, Findings* findings) {
  const char* const name = HsaSlotName(static_cast<HsaSlot>(i));
  if (!tables->Replace(static_cast<HsaSlot>(i), reinterpret_cast<void*>(kFunctions[i])).ok()) {
    findings->absent += std::string(" ") + name;
    return;
  }
  void* const exported = dlsym(RTLD_DEFAULT, name);
  if (exported == nullptr) {
    findings->not_exported += std::string(" ") + name;
    return;
  }
  g_called = kHsaSlotCount;
  CallWithZeros(exported);
  if (g_called == i) {
    ++findings->right;
  } else {
    findings->wrong += std::string(" ") + name;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool OnLoad(HsaApiTable* table, uint64_t,
                                                              uint64_t, const char* const*) {
  HsaTables tables;
  const rtl::Status status = tables.Open(table);
  if (!status.ok()) {
    std::fprintf(stderr, "slots: %s\n", status.message());
    return true;
  }
  Findings findings;
  for (size_t i = 0; i < kHsaSlotCount; ++i) CheckSlot(i, &tables, &findings);
  tables.Restore();
  const bool same_size = table->core_->version.minor_id == sizeof(::CoreApiTable) &&
                         table->amd_ext_->version.minor_id == sizeof(::AmdExtTable);
  std::fprintf(stderr, "slots: tables are %s\n",
               same_size ? "those of the headers" : "of another size");
  std::fprintf(stderr, "slots: %zu right, wrong:%s\n", findings.right,
               findings.wrong.empty() ? " none" : findings.wrong.c_str());
  std::fprintf(stderr, "slots: not exported:%s\nslots: absent:%s\n", findings.not_exported.c_str(),
               findings.absent.c_str());
  return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() {}
