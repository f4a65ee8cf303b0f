// SPDX-License-Identifier: MIT
// loaded_objects.h: the device addresses of an executable's code objects, and the file or memory
// that each was loaded from, as the runtime's loader reports them.
//
// Threads    any
// Blocking   the runtime's own functions
// Errors     a value that the runtime does not report is zero
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <stdint.h>

#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

struct LoadedObject {
  hsa_agent_t agent = {};
  uint64_t base = 0, bytes = 0;  // on the device
  int64_t delta = 0;             // device address = address in the ELF file + delta
  // Where the code object was loaded from: a file descriptor, or memory that may be freed later.
  hsa_ven_amd_loader_code_object_storage_type_t storage =
      HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_NONE;
  int file = -1;
  uint64_t memory = 0, memory_bytes = 0;
};

class LoadedObjects {
 public:
  // False if the runtime lacks the loader's functions.
  bool Open(const HsaApi& hsa);

  // Calls `visit` for each code object of the executable.
  using Visit = void (*)(void* data, hsa_loaded_code_object_t loaded);
  void ForEach(hsa_executable_t executable, Visit visit, void* data) const;
  LoadedObject Describe(hsa_loaded_code_object_t loaded) const;
  // For example "file://…#offset=…&size=…" or "memory://…". The caller frees the text; null if
  // there is no memory.
  char* Uri(hsa_loaded_code_object_t loaded) const;

 private:
  template <typename T>
  void Ask(hsa_loaded_code_object_t loaded, hsa_ven_amd_loader_loaded_code_object_info_t what,
           T* out) const;
  hsa_ven_amd_loader_1_03_pfn_t loader_ = {};
};

}  // namespace rtl::capture
