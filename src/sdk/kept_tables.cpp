// SPDX-License-Identifier: MIT
#include "sdk/kept_tables.h"

#include <stdio.h>
#include <string.h>

namespace rtl::sdk {

void KeptTables::Keep(const char* name, uint64_t version, uint64_t instance, void** tables,
                      uint64_t count, capture::Session::LoadedBy loaded_by) {
  const MutexLock lock(mutex_);
  if (count_ == kMost || count > kMostTables) return;
  Registration& kept = kept_[count_++];
  snprintf(kept.name, sizeof kept.name, "%s", name);
  kept.version = version;
  kept.instance = instance;
  kept.count = count;
  kept.loaded_by = loaded_by;
  memcpy(kept.tables, tables, count * sizeof *tables);
}

void KeptTables::Forget(const char* name) {
  const MutexLock lock(mutex_);
  uint32_t left = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    if (strcmp(kept_[i].name, name) != 0) kept_[left++] = kept_[i];
  }
  count_ = left;
}

bool KeptTables::Take(Registration* out) {
  const MutexLock lock(mutex_);
  if (count_ == 0) return false;
  *out = kept_[0];
  memmove(kept_, kept_ + 1, --count_ * sizeof *kept_);
  return true;
}

}  // namespace rtl::sdk
