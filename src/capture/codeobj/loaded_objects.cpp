// SPDX-License-Identifier: MIT
#include "capture/codeobj/loaded_objects.h"

#include <stdlib.h>

namespace rtl::capture {

bool LoadedObjects::Open(const HsaApi& hsa) {
  loader_ = {};
  return hsa.system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader_,
                                              &loader_) == HSA_STATUS_SUCCESS &&
         loader_.hsa_ven_amd_loader_executable_iterate_loaded_code_objects != nullptr;
}

void LoadedObjects::ForEach(hsa_executable_t executable, Visit visit, void* data) const {
  struct Call {
    Visit visit;
    void* data;
  } call = {visit, data};
  const auto forward = [](hsa_executable_t, hsa_loaded_code_object_t loaded, void* to) {
    const auto& caller = *static_cast<Call*>(to);
    caller.visit(caller.data, loaded);
    return HSA_STATUS_SUCCESS;
  };
  // If this fails, `visit` is not called for the rest.
  (void)loader_.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, forward,
                                                                          &call);
}

template <typename T>
void LoadedObjects::Ask(hsa_loaded_code_object_t loaded,
                        hsa_ven_amd_loader_loaded_code_object_info_t what, T* out) const {
  T value = {};
  if (loader_.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, what, &value) ==
      HSA_STATUS_SUCCESS)
    *out = value;
}

LoadedObject LoadedObjects::Describe(hsa_loaded_code_object_t loaded) const {
  LoadedObject object;
  Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT, &object.agent);
  Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &object.base);
  Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &object.bytes);
  Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &object.delta);
  uint32_t storage = 0;
  Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE, &storage);
  object.storage = static_cast<hsa_ven_amd_loader_code_object_storage_type_t>(storage);
  if (storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY) {
    Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE,
        &object.memory);
    Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE,
        &object.memory_bytes);
  } else if (storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE) {
    Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE, &object.file);
  }
  return object;
}

char* LoadedObjects::Uri(hsa_loaded_code_object_t loaded) const {
  uint32_t bytes = 0;
  Ask(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &bytes);
  char* const text = static_cast<char*>(calloc(size_t{bytes} + 1, 1));
  if (text == nullptr) return nullptr;
  // Without a URI the text stays empty.
  (void)loader_.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, text);
  return text;
}

}  // namespace rtl::capture
