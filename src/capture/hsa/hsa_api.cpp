// SPDX-License-Identifier: MIT
#include "capture/hsa/hsa_api.h"

#include <stdio.h>
#include <string.h>

namespace rtl::capture {
namespace {

using hsa_tables::kNoSlot;
using hsa_tables::kSlotBytes;
using hsa_tables::kVersionBytes;

// The head of every table, in the runtime's layout.
struct TableVersion {
  uint32_t major, bytes, step, reserved;
};
static_assert(sizeof(TableVersion) == kVersionBytes);

struct SlotPlace {
  const char* name;
  bool amd;
  // in AMD tables: the slot in a table without the copy engine functions
  uint32_t slot;
  uint32_t slot_with_engine;  // for AMD tables only: the slot in a table with these functions
  bool required;
  size_t api_offset;
};

constexpr SlotPlace kPlaces[] = {
#define X(name, slot) {"hsa_" #name, false, slot, slot, true, offsetof(HsaApi, name)},
    RTL_HSA_CORE_SLOTS(X)
#undef X
#define X(name, old_slot, new_slot) \
  {"hsa_" #name, true, old_slot, new_slot, old_slot != kNoSlot, offsetof(HsaApi, name)},
        RTL_HSA_AMD_SLOTS(X) RTL_HSA_AMD_TOOL_SLOTS(X)
#undef X
};
static_assert(sizeof(kPlaces) / sizeof(kPlaces[0]) == kHsaSlotCount);

// Root table: the version, then pointers to the core and the AMD extension table.
constexpr size_t kRootCoreOffset = kVersionBytes;
constexpr size_t kRootAmdOffset = kVersionBytes + 8;

TableVersion ReadVersion(const void* table) {
  TableVersion version;
  memcpy(&version, table, sizeof(version));
  return version;
}

void* ReadPointer(const uint8_t* address) {
  void* value;
  memcpy(&value, address, sizeof(value));
  return value;
}

}  // namespace

const char* HsaSlotName(HsaSlot slot) { return kPlaces[static_cast<size_t>(slot)].name; }

Status HsaTables::OpenTable(const char* name, void* table, uint32_t max_major, Table* out) {
  if (table == nullptr) return Status::Error("the HSA runtime gave no %s table", name);
  const TableVersion version = ReadVersion(table);
  if (version.major == 0 || version.major > max_major) {
    return Status::Error("the HSA %s table has major version %u; known are 1 to %u", name,
                         version.major, max_major);
  }
  *out = {static_cast<uint8_t*>(table), version.major, version.bytes, version.step};
  return Status::Ok();
}

Status HsaTables::Open(void* root_table) {
  Table root;
  RTL_TRY(OpenTable("root", root_table, hsa_tables::kMaxRootMajor, &root));
  if (root.bytes < kRootAmdOffset + 8) {
    return Status::Error("the HSA root table has only %u bytes", root.bytes);
  }
  RTL_TRY(OpenTable("core", ReadPointer(root.base + kRootCoreOffset), hsa_tables::kMaxCoreMajor,
                    &core_table_));
  RTL_TRY(OpenTable("AMD extension", ReadPointer(root.base + kRootAmdOffset),
                    hsa_tables::kMaxAmdMajor, &amd_table_));
  root_major_ = root.major;
  root_step_ = root.step;
  RTL_TRY(FillApi());
  open_ = true;
  return Status::Ok();
}

void** HsaTables::SlotAddress(HsaSlot slot) const {
  const SlotPlace& place = kPlaces[static_cast<size_t>(slot)];
  const Table& table = place.amd ? amd_table_ : core_table_;
  const bool engines = place.amd && amd_table_.bytes >= hsa_tables::kAmdWithEnginesBytes;
  const uint32_t index = engines ? place.slot_with_engine : place.slot;
  if (index == kNoSlot) return nullptr;
  const size_t offset = kVersionBytes + size_t{kSlotBytes} * index;
  if (offset + kSlotBytes > table.bytes) return nullptr;
  return reinterpret_cast<void**>(table.base + offset);
}

Status HsaTables::FillApi() {
  for (size_t i = 0; i < kHsaSlotCount; ++i) {
    const SlotPlace& place = kPlaces[i];
    if (replacements_[i] != nullptr) continue;  // replaced already; api_ has the former function
    void** const address = SlotAddress(static_cast<HsaSlot>(i));
    void* const function =
        address == nullptr ? nullptr : __atomic_load_n(address, __ATOMIC_RELAXED);
    if (function == nullptr && place.required) {
      return Status::Error("this HSA runtime (%s table of %u bytes) has no %s",
                           place.amd ? "AMD extension" : "core",
                           place.amd ? amd_table_.bytes : core_table_.bytes, place.name);
    }
    memcpy(reinterpret_cast<uint8_t*>(&api_) + place.api_offset, &function, sizeof(function));
  }
  return Status::Ok();
}

Status HsaTables::Replace(HsaSlot slot, void* function) {
  const size_t i = static_cast<size_t>(slot);
  void** const address = SlotAddress(slot);
  if (address == nullptr) {
    return Status::Error("this HSA runtime has no %s to replace", HsaSlotName(slot));
  }
  if (replacements_[i] == function) return Status::Ok();
  if (replacements_[i] != nullptr) {
    return Status::Error("%s was replaced twice", HsaSlotName(slot));
  }
  originals_[i] = __atomic_load_n(address, __ATOMIC_RELAXED);
  replacements_[i] = function;
  __atomic_store_n(address, function, __ATOMIC_RELEASE);
  return Status::Ok();
}

void HsaTables::Restore() {
  for (size_t i = 0; i < kHsaSlotCount; ++i) {
    if (replacements_[i] == nullptr) continue;
    void** const address = SlotAddress(static_cast<HsaSlot>(i));
    void* expected = replacements_[i];
    // False: another tool's function is installed now, and stays.
    (void)__atomic_compare_exchange_n(address, &expected, originals_[i], false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED);
    replacements_[i] = nullptr;
  }
}

void HsaTables::Describe(char* text, size_t bytes) const {
  (void)snprintf(text, bytes, "tables %u.%u, core %u.%u (%u bytes), amd %u.%u (%u bytes)",
                 root_major_, root_step_, core_table_.major, core_table_.step, core_table_.bytes,
                 amd_table_.major, amd_table_.step, amd_table_.bytes);
}

}  // namespace rtl::capture
