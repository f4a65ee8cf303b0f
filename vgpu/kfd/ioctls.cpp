// SPDX-License-Identifier: MIT
#include "vgpu/kfd/ioctls.h"

#include <asm/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "vgpu/config/log.h"

namespace vgpu {
namespace {

using IoctlHandler = int (*)(Driver&, void*);

struct Call {
  const char* name = nullptr;
  IoctlHandler handler = nullptr;  // nullptr: not modelled
  size_t size = 0;                 // of our argument struct
  bool quiet = false;              // too frequent for the log, or only called to probe for it
};

template <class>
struct ArgsOf;
template <class Args>
struct ArgsOf<int (*)(Driver&, Args&)> {
  using Type = Args;
};

// For calls that set up caches or address spaces: the virtual GPU has no caches, and one page table
// per GPU.
template <class Args>
int NothingToSetUp(Driver&, Args& args) {
  return GpuOfId(args.gpu_id) < 0 ? -EINVAL : 0;
}

template <auto kFunction>
constexpr Call Modelled(const char* name, bool quiet = false) {
  using Args = typename ArgsOf<decltype(kFunction)>::Type;
  const IoctlHandler handler = [](Driver& driver, void* argument) {
    return kFunction(driver, *static_cast<Args*>(argument));
  };
  return {name, handler, sizeof(Args), quiet};
}

using CallTable = std::array<Call, 256>;

constexpr CallTable MakeCallTable() {
  CallTable calls{};
  calls[0x01] = Modelled<&GetVersion>("GET_VERSION");
  calls[0x02] = Modelled<&CreateQueue>("CREATE_QUEUE");
  calls[0x03] = Modelled<&DestroyQueue>("DESTROY_QUEUE");
  calls[0x04] = Modelled<&NothingToSetUp<kfd_ioctl_set_memory_policy_args>>("SET_MEMORY_POLICY");
  calls[0x05] = Modelled<&GetClockCounters>("GET_CLOCK_COUNTERS", true);
  calls[0x06] = Modelled<&GetApertures>("GET_PROCESS_APERTURES");
  calls[0x07] = Modelled<&UpdateQueue>("UPDATE_QUEUE");
  calls[0x08] = Modelled<&CreateEvent>("CREATE_EVENT");
  calls[0x09] = Modelled<&DestroyEvent>("DESTROY_EVENT");
  calls[0x0a] = Modelled<&SetEvent>("SET_EVENT", true);
  calls[0x0b] = Modelled<&ResetEvent>("RESET_EVENT", true);
  calls[0x0c] = Modelled<&WaitEvents>("WAIT_EVENTS", true);
  calls[0x0d] = {"DBG_REGISTER"};
  calls[0x0e] = {"DBG_UNREGISTER"};
  calls[0x0f] = {"DBG_ADDRESS_WATCH"};
  calls[0x10] = {"DBG_WAVE_CONTROL"};
  calls[0x11] =
      Modelled<&NothingToSetUp<kfd_ioctl_set_scratch_backing_va_args>>("SET_SCRATCH_BACKING_VA");
  calls[0x12] = Modelled<&GetTileConfig>("GET_TILE_CONFIG");
  calls[0x13] = Modelled<&SetTrapHandler>("SET_TRAP_HANDLER");
  calls[0x14] = Modelled<&GetAperturesNew>("GET_PROCESS_APERTURES_NEW");
  calls[0x15] = Modelled<&NothingToSetUp<kfd_ioctl_acquire_vm_args>>("ACQUIRE_VM");
  calls[0x16] = Modelled<&AllocMemory>("ALLOC_MEMORY_OF_GPU");
  calls[0x17] = Modelled<&FreeMemory>("FREE_MEMORY_OF_GPU");
  calls[0x18] = Modelled<&MapMemory>("MAP_MEMORY_TO_GPU");
  calls[0x19] = Modelled<&UnmapMemory>("UNMAP_MEMORY_FROM_GPU");
  calls[0x1a] = Modelled<&SetCuMask>("SET_CU_MASK");
  calls[0x1b] = {"GET_QUEUE_WAVE_STATE"};
  calls[0x1c] = Modelled<&GetDmabufInfo>("GET_DMABUF_INFO");
  calls[0x1d] = Modelled<&ImportDmabuf>("IMPORT_DMABUF");
  calls[0x1e] = Modelled<&AllocQueueGws>("ALLOC_QUEUE_GWS");
  calls[0x1f] = Modelled<&OpenSmiEvents>("SMI_EVENTS");
  calls[0x20] = Modelled<&Svm>("SVM");
  calls[0x21] = Modelled<&SetXnackMode>("SET_XNACK_MODE");
  calls[0x22] = {"CRIU_OP"};
  calls[0x23] = Modelled<&AvailableMemory>("AVAILABLE_MEMORY");
  calls[0x24] = Modelled<&ExportDmabuf>("EXPORT_DMABUF");
  calls[0x25] = Modelled<&RuntimeEnable>("RUNTIME_ENABLE");
  calls[0x26] = {"DBG_TRAP"};
  // These are not in the upstream kernel: runtimes before 7 share memory by the first two, and
  // probe for the others.
  calls[0x80] = Modelled<&IpcImport>("IPC_IMPORT_HANDLE");
  calls[0x81] = Modelled<&IpcExport>("IPC_EXPORT_HANDLE");
  calls[0x82] = {"DBG_TRAP (out of tree)", nullptr, 0, true};
  calls[0x84] = {"RLC_SPM"};
  calls[0x85] = Modelled<&PcSample>("PC_SAMPLE");
  calls[0x86] = {"PROFILER", nullptr, 0, true};
  return calls;
}

constexpr CallTable kCalls = MakeCallTable();
constexpr size_t kMaxArgument = 1024;
static_assert(std::ranges::all_of(kCalls, [](const Call& c) { return c.size <= kMaxArgument; }));

int RefuseCall(unsigned number, const Call& call, size_t size) {
  const char* name = call.name != nullptr ? call.name : "unknown";
  Log(call.quiet ? LogLevel::kIoctl : LogLevel::kError,
      "driver call 0x%02x (%s, %zu bytes) is not modelled", number, name, size);
  return -EINVAL;
}

}  // namespace

int KfdIoctl(Driver& driver, unsigned long request, void* argument) {
  if (_IOC_TYPE(request) != AMDKFD_IOCTL_BASE) return -ENOTTY;
  const unsigned number = _IOC_NR(request);
  const size_t given = _IOC_SIZE(request);
  const Call& call = kCalls[number];
  if (call.handler == nullptr) return RefuseCall(number, call, given);

  // The handlers see zeros in fields that an older caller does not pass.
  alignas(16) char copy[kMaxArgument] = {};
  if (argument == nullptr || given > sizeof(copy)) return -EFAULT;
  std::memcpy(copy, argument, given);
  if (const int error = driver.faults_to_inject.FailCall(number); error != 0) [[unlikely]] {
    Log(LogLevel::kIoctl, "driver call %s fails by plan: %d", call.name, error);
    return -error;
  }
  const int result = call.handler(driver, copy);
  if ((_IOC_DIR(request) & _IOC_READ) != 0) std::memcpy(argument, copy, given);
  if (!call.quiet) Log(LogLevel::kIoctl, "driver call %s -> %d", call.name, result);
  return result;
}

}  // namespace vgpu
