// SPDX-License-Identifier: MIT
#include "capture/hsa/hsa_memory.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <hsa/hsa.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <atomic>

#include "base/loaded_image.h"
#include "base/text.h"
#include "base/thread_state.h"
#include "capture/hsa/hsa_api.h"

namespace rtl::capture {
namespace {

using GetInfo = decltype(&::hsa_system_get_info);

constexpr char kLibrary[] = "libhsa-runtime64";
constexpr char kDriver[] = "/dev/kfd";
constexpr unsigned long kGetVersion = _IOR('K', 1, uint64_t);  // AMDKFD_IOC_GET_VERSION
constexpr uint32_t kFewestBytes = 32;
constexpr uint32_t kMostBytes = 8192;
// fewest functions of a core table; the oldest known one has 125
constexpr uint32_t kFewestFunctions = 64;

std::atomic<uint32_t> info_tried_by{0};  // the thread that tries a table; zero: none
std::atomic<bool> info_arrived{false};
std::atomic<GetInfo> former_info{nullptr};

// Replaces an entry while it is tried. Passes calls of other threads through.
hsa_status_t TryGetInfo(hsa_system_info_t what, void* value) {
  if (info_tried_by.load(std::memory_order_relaxed) == ThreadId::Current())
    info_arrived.store(true, std::memory_order_relaxed);
  return former_info.load()(what, value);
}

// Returns null if the process has not loaded the library.
void* OpenLibrary() {
  char path[PATH_MAX] = "";
  const auto remember = [](dl_phdr_info* info, size_t, void* out) {
    const char* const slash = strrchr(info->dlpi_name, '/');
    const char* const file = slash == nullptr ? info->dlpi_name : slash + 1;
    if (strncmp(file, kLibrary, sizeof kLibrary - 1) != 0) return 0;
    return ::rtl::CopyText(static_cast<char*>(out), PATH_MAX, info->dlpi_name) ? 1 : 0;
  };
  if (dl_iterate_phdr(remember, path) == 0) return nullptr;
  return dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
}

struct Head {
  uint32_t major, bytes, step, reserved;
};

// True if `head` is the head of a table that lies completely in the library's data.
bool IsHead(const LoadedImage& image, const Head* head) {
  const auto at = reinterpret_cast<uintptr_t>(head);
  if (at % 8 != 0 || !image.IsData(at) || !image.IsData(at + sizeof(Head) - 1)) return false;
  return head->major != 0 && head->major < 16 && head->bytes >= kFewestBytes &&
         head->bytes <= kMostBytes && head->bytes % 8 == 0 && head->reserved == 0 &&
         image.IsData(at + head->bytes - 1);
}

// True if most entries of the table are functions of the library; other tools may have replaced
// some.
bool HasFunctions(const LoadedImage& image, const Head* head) {
  const auto* const entries = reinterpret_cast<const uint64_t*>(head + 1);
  const uint32_t count = (head->bytes - sizeof(Head)) / 8;
  uint32_t own = 0;
  for (uint32_t i = 0; i < count; ++i) own += image.IsCode(entries[i]) ? 1 : 0;
  return own >= kFewestFunctions && own >= count / 2;
}

bool IsRoot(const LoadedImage& image, const Head* root) {
  if (!IsHead(image, root)) return false;
  const auto* const parts = reinterpret_cast<const uint64_t*>(root + 1);
  for (int i = 0; i < 2; ++i) {
    if (!IsHead(image, reinterpret_cast<const Head*>(parts[i]))) return false;
  }
  return HasFunctions(image, reinterpret_cast<const Head*>(parts[0]));
}

// True if the process was forked from the one that uses the driver: the driver answers only the
// process that has opened its file.
bool IsForkedFromIt() {
  struct stat driver;
  if (stat(kDriver, &driver) != 0) return false;
  DIR* const files = opendir("/proc/self/fd");
  if (files == nullptr) return false;
  bool of_another = false;
  bool of_this = false;
  while (const dirent* const each = readdir(files)) {
    const int file = atoi(each->d_name);  // entries such as "." are skipped below
    struct stat status;
    if (each->d_name[0] == '.' || fstat(file, &status) != 0 || !S_ISCHR(status.st_mode) ||
        status.st_rdev != driver.st_rdev)
      continue;
    uint64_t version = 0;
    const bool answers = ioctl(file, kGetVersion, &version) == 0;
    of_this = of_this || answers;
    of_another = of_another || (!answers && errno == EBADF);
  }
  (void)closedir(files);
  return of_another && !of_this;
}

bool IsInUse(void* root, GetInfo exported) {
  HsaTables tables;
  if (!tables.Open(root).ok()) return false;
  former_info.store(tables.api().system_get_info);
  info_arrived.store(false, std::memory_order_relaxed);
  info_tried_by.store(ThreadId::Current(), std::memory_order_relaxed);
  if (!tables.Replace(HsaSlot::system_get_info, &TryGetInfo).ok()) return false;
  uint16_t major = 0;
  (void)exported(HSA_SYSTEM_INFO_VERSION_MAJOR, &major);
  tables.Restore();
  info_tried_by.store(0, std::memory_order_relaxed);
  return info_arrived.load(std::memory_order_relaxed);
}

}  // namespace

const char* WhyIdle(HsaPresence presence) {
  if (presence == HsaPresence::kAbsent) return "no HSA runtime is loaded";
  return presence == HsaPresence::kForked
             ? "its HSA runtime was started by the process that it was forked from"
             : "its HSA runtime has not been initialised";
}

HsaPresence FindHsa() {
  void* const library = OpenLibrary();
  if (library == nullptr) return HsaPresence::kAbsent;
  const auto get_info = reinterpret_cast<GetInfo>(dlsym(library, "hsa_system_get_info"));
  uint16_t major = 0;
  const bool runs =
      get_info != nullptr && get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major) == HSA_STATUS_SUCCESS;
  (void)dlclose(library);  // drops the reference that dlopen added
  if (!runs) return HsaPresence::kLoaded;
  return IsForkedFromIt() ? HsaPresence::kForked : HsaPresence::kRuns;
}

Status FindHsaTable(void** root_table) {
  // the library stays open, because the tracer's functions go into its tables
  void* const library = OpenLibrary();
  const auto exported = reinterpret_cast<GetInfo>(
      library == nullptr ? nullptr : dlsym(library, "hsa_system_get_info"));
  if (exported == nullptr) return Status::Error("no HSA runtime is loaded");
  const LoadedImage image(reinterpret_cast<const void*>(exported));
  for (size_t i = 0; i < image.data_count(); ++i) {
    const LoadedImage::Range& data = image.data()[i];
    for (uintptr_t at = (data.begin + 7) & ~uintptr_t{7}; at + kFewestBytes <= data.end; at += 8) {
      auto* const root = reinterpret_cast<Head*>(at);
      if (!IsRoot(image, root) || !IsInUse(root, exported)) continue;
      *root_table = root;
      return Status::Ok();
    }
  }
  return Status::Error("the tables of this HSA runtime are not found in its memory");
}

}  // namespace rtl::capture
