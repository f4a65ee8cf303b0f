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
#include "base/thread_state.h"

namespace rtl::sdk {
namespace {

constexpr char kFunction[] = "rocprofiler_configure";
constexpr char kAttachFunction[] = "rocprofiler_configure_attach";
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

// Calls `use(path)` for each path of a list until it returns an error.
template <typename Use>
Status ForEach(const char* libraries, Use use) {
  while (*libraries != '\0') {
    const size_t bytes = strcspn(libraries, ":");
    char path[PATH_MAX];
    if (bytes != 0 && bytes < sizeof path) {
      memcpy(path, libraries, bytes);
      path[bytes] = '\0';
      RTL_TRY(use(path));
    }
    libraries += bytes + (libraries[bytes] == ':' ? 1 : 0);
  }
  return Status::Ok();
}

// The functions of a tool's library; null if the library lacks a function.
struct ToolFunctions {
  explicit ToolFunctions(void* library)
      : configure(reinterpret_cast<rocprofiler_configure_func_t>(dlsym(library, kFunction))),
        configure_attach(reinterpret_cast<rocprofiler_configure_attach_func_t>(
            dlsym(library, kAttachFunction))) {}
  const rocprofiler_configure_func_t configure;
  const rocprofiler_configure_attach_func_t configure_attach;
};

}  // namespace

void Clients::Add(rocprofiler_configure_func_t configure,
                  rocprofiler_configure_attach_func_t configure_attach) {
  if ((configure == nullptr && configure_attach == nullptr) || count_ == kMost) return;
  for (uint32_t i = 0; i < count_; ++i) {
    if (configure != nullptr && tools_[i].configure == configure) return;  // already added
  }
  Tool& tool = tools_[count_];
  tool.configure = configure;
  tool.configure_attach = configure_attach;
  // Tools see a structure in which the handle is const.
  new (&tool.id) rocprofiler_client_id_t{sizeof tool.id, nullptr, kFirstHandle + count_};
  ++count_;
}

void Clients::AddNamed(const char* libraries) {
  if (libraries == nullptr) return;
  const Status all = ForEach(libraries, [this](const char* path) {
    void* const library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
    void* const function = library == nullptr ? nullptr : dlsym(library, kFunction);
    if (function == nullptr)
      Warn("ROCP_TOOL_LIBRARIES: %.200s is not loaded as a tool: %s", path,
           library == nullptr ? dlerror() : "it has no rocprofiler_configure");
    Add(reinterpret_cast<rocprofiler_configure_func_t>(function));
    return Status::Ok();
  });
  (void)all;  // each error was printed
}

Status Clients::AddAttached(const char* libraries) {
  return ForEach(libraries, [this](const char* path) {
    void* const library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
    if (library == nullptr) return Status::Error("the tool is not loaded: %s", dlerror());
    const ToolFunctions functions(library);
    if (functions.configure == nullptr && functions.configure_attach == nullptr) {
      return Status::Error("%.150s is no tool: it has neither %s nor %s", path, kAttachFunction,
                           kFunction);
    }
    Add(functions.configure, functions.configure_attach);
    return Status::Ok();
  });
}

Status Clients::CheckKnown(const char* libraries) const {
  return ForEach(libraries, [this](const char* path) {
    void* const library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library != nullptr) {
      const ToolFunctions functions(library);
      (void)dlclose(library);  // drops the reference that dlopen added
      for (uint32_t i = 0; i < count_; ++i) {
        const Tool& tool = tools_[i];
        if (tool.takes_part &&
            ((tool.configure != nullptr && tool.configure == functions.configure) ||
             (tool.configure_attach != nullptr &&
              tool.configure_attach == functions.configure_attach)))
          return Status::Ok();
      }
    }
    return Status::Error(
        "its tools were configured before, which happens once, and %.100s is not one of them; "
        "start the process again",
        path);
  });
}

// Collects the names first, because nothing may be opened while the loader's list is walked.
void Clients::AddLoaded() {
  auto* const loaded = static_cast<Loaded*>(calloc(1, sizeof(Loaded)));
  if (loaded == nullptr) return;
  (void)dl_iterate_phdr(NoteName, loaded);
  for (uint32_t i = 0; i < loaded->count; ++i) {
    const char* const name = loaded->names[i];
    void* const library = dlopen(*name == '\0' ? nullptr : name, RTLD_LAZY | RTLD_NOLOAD);
    if (library != nullptr) {
      // dlsym may find the function in a dependency of this library, but Add takes each function
      // only once.
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
        tool.configure == nullptr ? nullptr : tool.configure(version, text, i, &tool.id);
    if (result != nullptr) tool.result = *result;
    const rocprofiler_tool_configure_attach_result_t* const attaching =
        tool.configure_attach == nullptr ? nullptr
                                         : tool.configure_attach(version, text, i, &tool.id);
    if (attaching != nullptr) tool.attaching = *attaching;
    tool.takes_part = result != nullptr || attaching != nullptr;
  }
}

bool Clients::Has(rocprofiler_configure_func_t configure) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (tools_[i].asked && tools_[i].configure == configure) return true;
  }
  return false;
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

int Clients::Attach(uint32_t index, rocprofiler_client_detach_t detach,
                    rocprofiler_context_id_t* contexts, uint64_t count) {
  Tool& tool = tools_[index];
  tool.inside.fetch_add(1, std::memory_order_acq_rel);
  int answer = 0;
  if (tool.attaching.tool_attach != nullptr) {
    const ReentryGuard guard;  // calls that the tool makes are not part of the program
    answer = tool.attaching.tool_attach(detach, contexts, count, tool.attaching.tool_data);
  }
  if (answer == 0) tool.attached.store(true, std::memory_order_release);
  tool.inside.fetch_sub(1, std::memory_order_acq_rel);
  return answer;
}

bool Clients::BeginDetach(uint32_t index) {
  Tool& tool = tools_[index];
  tool.inside.fetch_add(1, std::memory_order_acq_rel);
  if (alive(index) && tool.attached.exchange(false, std::memory_order_acq_rel)) return true;
  tool.inside.fetch_sub(1, std::memory_order_acq_rel);
  return false;
}

void Clients::EndDetach(uint32_t index) {
  Tool& tool = tools_[index];
  if (tool.attaching.tool_detach != nullptr) {
    const ReentryGuard guard;
    tool.attaching.tool_detach(tool.attaching.tool_data);
  }
  tool.inside.fetch_sub(1, std::memory_order_acq_rel);
}

uint32_t Clients::IndexOf(uint32_t handle) const {
  // wraps around to a large value if the handle is smaller
  const uint32_t index = handle - kFirstHandle;
  return index < count_ ? index : count_;
}

}  // namespace rtl::sdk
