// SPDX-License-Identifier: MIT
// hsa_slots.h: finds the slot of each HSA function in a runtime's tables. The functions are those
// of hsa_functions.inc, which tools/gen_sdk_hsa.py makes from spec/api/hsa.
//
// Threads    any
// Errors     a table of an unknown version has no slots
#pragma once

#include <stdint.h>
#include <string.h>

#include "spec/api/hsa_tables.h"

namespace rtl::capture {

// The values of HSA_FUNCTION's first argument, in the order of HSA_FUNCTION.
enum class HsaTable : uint8_t { kCore, kAmdExt, kImageExt, kFinalizeExt };

enum HsaFunctionIndex : uint32_t {
#define HSA_FUNCTION(table, operation, old_slot, name, ...) kIndexOf_##name,
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
  kHsaFunctionTotal
};

class HsaSlots {
 public:
  // `root`: an HsaApiTable.
  explicit HsaSlots(void* root) {
    // in the root table the finalizer comes before images
    static constexpr uint32_t kPlaces[] = {0, 1, 3, 2};
    for (uint32_t i = 0; i < kTables; ++i) {
      Table& table = tables_[i];
      const char* const place = static_cast<char*>(root) + hsa_tables::kVersionBytes;
      memcpy(&table.base, place + 8 * kPlaces[i], sizeof table.base);
      if (table.base == nullptr) continue;
      memcpy(&table.major, table.base, 4);
      memcpy(&table.bytes, table.base + 4, 4);
      if (table.major > hsa_tables::kMaxAmdMajor) table.bytes = 0;
    }
  }

  // Returns null if the runtime lacks the function.
  void** Of(uint32_t index) const {
    constexpr uint32_t kNoSlot = hsa_tables::kNoSlot;
    static constexpr struct {
      HsaTable table;
      uint32_t slot, old_slot;  // old_slot: in an AMD table without the copy engine functions
    } kFunctions[] = {
#define HSA_FUNCTION(table, operation, old_slot, ...) {HsaTable::table, operation, old_slot},
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
    };
    const auto& function = kFunctions[index];
    const Table& table = tables_[static_cast<uint32_t>(function.table)];
    const bool old = function.table == HsaTable::kAmdExt && table.major == 1 &&
                     table.bytes < hsa_tables::kAmdWithEnginesBytes;
    const uint32_t slot = old ? function.old_slot : function.slot;
    if (slot == kNoSlot) return nullptr;
    const uint32_t place = hsa_tables::kVersionBytes + slot * hsa_tables::kSlotBytes;
    return place + hsa_tables::kSlotBytes > table.bytes
               ? nullptr
               : reinterpret_cast<void**>(table.base + place);
  }

  // Calls `visit(number, slot)` for each slot of the AMD table after those of all known functions.
  // Only the AMD table grows.
  template <typename Visit>
  void ForEachUnknown(Visit visit) const {
    const Table& amd = tables_[static_cast<uint32_t>(HsaTable::kAmdExt)];
    if (amd.major != hsa_tables::kMaxAmdMajor) return;
    for (uint32_t number = FirstUnknown();; ++number) {
      const uint32_t place = hsa_tables::kVersionBytes + number * hsa_tables::kSlotBytes;
      if (place + hsa_tables::kSlotBytes > amd.bytes) return;
      visit(number, reinterpret_cast<void**>(amd.base + place));
    }
  }

  // The function in the slot now; null when the slot is empty.
  template <typename Function>
  Function Get(uint32_t index) const {
    void** const slot = Of(index);
    return slot == nullptr ? nullptr
                           : reinterpret_cast<Function>(__atomic_load_n(slot, __ATOMIC_ACQUIRE));
  }

 private:
  static constexpr uint32_t FirstUnknown() {
    uint32_t count = 0;  // the slots of the known functions follow each other
#define HSA_FUNCTION(table, ...) count += HsaTable::table == HsaTable::kAmdExt ? 1 : 0;
#include "names/hsa_functions.inc"
#undef HSA_FUNCTION
    return count;
  }

  static constexpr uint32_t kTables = 4;
  struct Table {
    char* base = nullptr;
    uint32_t major = 0, bytes = 0;
  };
  Table tables_[kTables];
};

}  // namespace rtl::capture
