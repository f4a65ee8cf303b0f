// SPDX-License-Identifier: MIT
#include "capture/pc_sampling/pcs_api.h"

#include <string.h>

#include "spec/api/hsa_tables.h"

namespace rtl::capture {

bool PcsApi::Open(const void* root) {
  using namespace hsa_tables;
  constexpr uint32_t kPlace = kVersionBytes + kRootPcSamplingSlot * kSlotBytes;
  const char* const tables = static_cast<const char*>(root);
  uint32_t root_bytes = 0;
  memcpy(&root_bytes, tables + 4, sizeof root_bytes);
  if (root_bytes < kPlace + kSlotBytes) return false;
  const char* table = nullptr;
  memcpy(&table, tables + kPlace, sizeof table);
  if (table == nullptr) return false;
  uint32_t major = 0, bytes = 0;
  memcpy(&major, table, sizeof major);
  memcpy(&bytes, table + 4, sizeof bytes);
  if (major != kPcSamplingMajor || bytes < kVersionBytes + kPcSamplingSlots * kSlotBytes)
    return false;
  const auto take = [table](uint32_t slot, auto* out) {
    memcpy(out, table + kVersionBytes + slot * kSlotBytes, sizeof *out);
    return *out != nullptr;
  };
  // Slot 2 is not used: it continues a session that another process has begun with the driver.
  return take(0, &iterate_configuration) && take(1, &create) && take(3, &destroy) &&
         take(4, &start) && take(5, &stop) && take(6, &flush);
}

}  // namespace rtl::capture
