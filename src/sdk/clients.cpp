// SPDX-License-Identifier: MIT
#include "sdk/clients.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <new>

#include "base/environment.h"
#include "base/log.h"

namespace rtl::sdk {
namespace {

constexpr char kFunction[] = "rocprofiler_configure";
constexpr uint32_t kMostLibraries = 1024;

struct Loaded {
  char* names[kMostLibraries];
  uint32_t count;
};

int NoteName(dl_phdr_info* info, size_t, void* data) {
  auto* const loaded = static_cast<Loaded*>(data);
  if (loaded->count == kMostLibraries) return 1;
  char* const name = strdup(info->dlpi_name == nullptr ? "" : info->dlpi_name);
  if (name != nullptr) loaded->names[loaded->count++] = name;
  return 0;
}

}  // namespace

void Clients::Add(rocprofiler_configure_func_t configure) {
  if (configure == nullptr || count_ == kMost) return;
  for (uint32_t i = 0; i < count_; ++i) {
    if (tools_[i].configure == configure) return;  // already found another way
  }
  Tool& tool = tools_[count_];
  tool.configure = configure;
  // Tools see a structure in which the handle is const.
  new (&tool.id) rocprofiler_client_id_t{sizeof tool.id, nullptr, kFirstHandle + count_};
  ++count_;
}

void Clients::AddNamed(const char* libraries) {
  while (libraries != nullptr && *libraries != '\0') {
    const size_t bytes = strcspn(libraries, ":");
    char path[PATH_MAX];
    if (bytes != 0 && bytes < sizeof path) {
      memcpy(path, libraries, bytes);
      path[bytes] = '\0';
      void* const library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
      void* const function = library == nullptr ? nullptr : dlsym(library, kFunction);
      if (function == nullptr)
        Warn("ROCP_TOOL_LIBRARIES: %.200s is not loaded as a tool: %s", path,
             library == nullptr ? dlerror() : "it has no rocprofiler_configure");
      Add(reinterpret_cast<rocprofiler_configure_func_t>(function));
    }
    libraries += bytes + (libraries[bytes] == ':' ? 1 : 0);
  }
}

// Collects the names first: nothing may be opened while the loader's list is walked.
void Clients::AddLoaded() {
  auto* const loaded = static_cast<Loaded*>(calloc(1, sizeof(Loaded)));
  if (loaded == nullptr) return;
  (void)dl_iterate_phdr(NoteName, loaded);
  for (uint32_t i = 0; i < loaded->count; ++i) {
    const char* const name = loaded->names[i];
    void* const library = dlopen(*name == '\0' ? nullptr : name, RTLD_LAZY | RTLD_NOLOAD);
    if (library != nullptr) {
      // It may be a dependency of this library: Add takes each function once.
      Add(reinterpret_cast<rocprofiler_configure_func_t>(dlsym(library, kFunction)));
      (void)dlclose(library);  // drops the reference that dlopen added
    }
    free(loaded->names[i]);
  }
  free(loaded);
}

void Clients::Discover(rocprofiler_configure_func_t forced) {
  Add(forced);
  // A set-user-id program ignores the environment: its caller must not choose which library it
  // loads.
  if (getauxval(AT_SECURE) == 0 && !named_) AddNamed(EnvironmentValue("ROCP_TOOL_LIBRARIES"));
  named_ = true;
  AddLoaded();
}

void Clients::ConfigureAll(uint32_t version, const char* text, std::atomic<uint32_t>* current) {
  for (uint32_t i = 0; i < count_; ++i) {
    Tool& tool = tools_[i];
    if (tool.asked) continue;
    tool.asked = true;
    current->store(i, std::memory_order_release);
    const rocprofiler_tool_configure_result_t* const result =
        tool.configure(version, text, i, &tool.id);
    if (result == nullptr) continue;
    tool.result = *result;
    tool.takes_part = true;
  }
}

bool Clients::AnyTakesPart() const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (tools_[i].takes_part) return true;
  }
  return false;
}

void Clients::InitializeAll(rocprofiler_client_finalize_t finalize,
                            std::atomic<uint32_t>* current) {
  for (uint32_t i = 0; i < count_; ++i) {
    Tool& tool = tools_[i];
    if (!tool.takes_part) continue;
    current->store(i, std::memory_order_release);
    tool.alive.store(true, std::memory_order_release);
    if (tool.result.initialize != nullptr &&
        tool.result.initialize(finalize, tool.result.tool_data) != 0)
      tool.alive.store(false, std::memory_order_release);
  }
}

void Clients::Finalize(uint32_t index) {
  Tool& tool = tools_[index];
  if (!tool.alive.exchange(false, std::memory_order_acq_rel)) return;
  if (tool.result.finalize != nullptr) tool.result.finalize(tool.result.tool_data);
}

uint32_t Clients::IndexOf(uint32_t handle) const {
  const uint32_t index = handle - kFirstHandle;  // wraps to a large value
  return index < count_ ? index : count_;
}

}  // namespace rtl::sdk
