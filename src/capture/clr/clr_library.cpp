// SPDX-License-Identifier: MIT
#include "capture/clr/clr_library.h"

#include <dlfcn.h>
#include <string.h>

#include <initializer_list>

#include "base/loaded_objects.h"
#include "base/text.h"
#include "capture/clr/self_read.h"

namespace rtl::capture {
namespace {

constexpr char kEnable[] = "hipProfilerEnableExt";
constexpr char kFlatEnable[] = "hipClrProfilerEnable";

}  // namespace

Status ClrLibrary::TakeForm(void* handle) {
  const bool flat = dlsym(handle, kEnable) == nullptr;
  const bool streams = !flat && dlsym(handle, "hipProfilerRegisterChunkCallbackExt") != nullptr;
  reset_ = dlsym(handle, flat ? "hipClrProfilerReset" : "hipProfilerResetExt");
  form_ = flat                ? ClrForm::kFlat
          : streams           ? ClrForm::kStreaming
          : reset_ != nullptr ? ClrForm::kChunks
                              : ClrForm::kList;
  const char* const disable = flat ? "hipClrProfilerDisable" : "hipProfilerDisableExt";
  const char* const get = flat ? "hipClrProfilerGetRecords" : "hipProfilerGetRecordsExt";
  disable_ = dlsym(handle, disable);
  get_ = dlsym(handle, get);
  const char* missing = nullptr;
  if (disable_ == nullptr) missing = disable;
  if (get_ == nullptr) missing = get;
  if (flat && reset_ == nullptr) missing = "hipClrProfilerReset";
  if (missing != nullptr) return Status::Error("HIP's built-in profiler has no %s", missing);
  harmless_ = reinterpret_cast<int32_t (*)()>(dlsym(handle, "hipPeekAtLastError"));
  push_ = reinterpret_cast<decltype(push_)>(dlsym(handle, "__hipPushCallConfiguration"));
  pop_ = reinterpret_cast<decltype(pop_)>(dlsym(handle, "__hipPopCallConfiguration"));
  if (!flat) return Status::Ok();
  // These symbols are data: an array of names and its length. Either may be missing.
  const void* const count = dlsym(handle, "kHipClrApiNamesCount");
  names_ = static_cast<const char* const*>(dlsym(handle, "kHipClrApiNames"));
  uint32_t names = 0;
  if (count != nullptr) memcpy(&names, count, sizeof names);
  names_count_ = names_ == nullptr ? 0 : names;
  return Status::Ok();
}

Status ClrLibrary::Find() {
  if (found()) return Status::Ok();
  Status taken = Status::Error(
      "the HIP that is loaded has no built-in profiler (neither %s nor %s)", kEnable, kFlatEnable);
  (void)ForEachObject([&](void* handle, const SharedObject& object) {
    void* enable = OwnSymbol(handle, object.base, kEnable);
    if (enable == nullptr) enable = OwnSymbol(handle, object.base, kFlatEnable);
    if (enable == nullptr) return false;
    taken = TakeForm(handle);
    if (taken.ok()) enable_ = enable;
    (void)CopyText(path_, sizeof path_, object.path);  // a path that is too long is not shown
    // the handle stays open: HIP's functions may be running
    return true;
  });
  return taken;
}

void ClrLibrary::FillTables() const {
  if (harmless_ != nullptr) (void)harmless_();
  if (push_ == nullptr || pop_ == nullptr) return;
  Size3 grid = {1, 1, 1};
  Size3 block = grid;
  size_t shared = 0;
  void* stream = nullptr;
  if (push_(grid, block, shared, stream) == 0) (void)pop_(&grid, &block, &shared, &stream);
}

// Passes the argument to every form. In forms without a parameter it arrives in a register that HIP
// ignores.
int32_t ClrLibrary::Enable(uint64_t* first) const {
  return reinterpret_cast<int32_t (*)(uint64_t*, uint64_t)>(enable_)(first, 0);
}

int32_t ClrLibrary::Disable(uint64_t* behind) const {
  return reinterpret_cast<int32_t (*)(uint64_t*)>(disable_)(behind);
}

int32_t ClrLibrary::Reset() const { return reinterpret_cast<int32_t (*)()>(reset_)(); }

int32_t ClrLibrary::GetFlat(const void** records, size_t* count) const {
  return reinterpret_cast<int32_t (*)(const void**, size_t*)>(get_)(records, count);
}

int32_t ClrLibrary::GetChunks(const void* const** chunks, size_t* chunk_count, size_t* chunk_size,
                              size_t* total) const {
  using Get = int32_t (*)(const void* const**, size_t*, size_t*, size_t*);
  return reinterpret_cast<Get>(get_)(chunks, chunk_count, chunk_size, total);
}

uint64_t ClrLibrary::NameOf(uint32_t api) const {
  if (api >= names_count_) return 0;
  uint64_t name = 0;
  const auto place = reinterpret_cast<uint64_t>(names_ + api);
  return SelfRead(place, &name, sizeof name) == sizeof name ? name : 0;
}

bool ClrLibrary::OtherTool(char* path, size_t capacity) {
  bool has_other = false;
  bool has_tool = false;
  bool has_ours = false;
  (void)ForEachObject([&](void* handle, const SharedObject& object) {
    const auto has = [&](const char* symbol) {
      return OwnSymbol(handle, object.base, symbol) != nullptr;
    };
    const bool is_sdk = has("rocprofiler_create_context");
    const bool is_ours = has("rtl_hip_hooks");
    has_ours = has_ours || (is_sdk && is_ours);
    const bool is_other = !is_ours && (is_sdk || has("roctracer_enable_callback"));
    const bool is_tool = !is_ours && !has_tool && has("rocprofiler_configure");
    if (is_other || is_tool) {
      const char* const name = object.path[0] == '\0' ? "the program itself" : object.path;
      (void)CopyText(path, capacity, name);  // truncated: the text is only shown to people
    }
    has_tool = has_tool || is_tool;
    has_other = has_other || is_other;
    if (is_other) (void)dlclose(handle);
    return is_other;
  });
  return has_other || (has_tool && !has_ours);
}

}  // namespace rtl::capture
