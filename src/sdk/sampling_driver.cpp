// SPDX-License-Identifier: MIT
#include "sdk/sampling_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace rtl::sdk {
namespace {

// <linux/kfd_ioctl.h>; PC_SAMPLE is in AMD's own kernel module only.
struct VersionArgs {
  uint32_t major, minor;
};
struct SampleInfo {
  uint64_t interval;  // zero: it is not being sampled
  uint64_t least, most;
  uint64_t flags;
  uint32_t method;  // 1 host traps, 2 stochastic
  uint32_t type;    // 0 microseconds, 1 clock cycles, 2 instructions
};
struct SampleArgs {
  uint64_t infos;
  uint32_t count;
  uint32_t operation;
  uint32_t gpu_id;
  uint32_t session;
  uint32_t flags;
  uint32_t version;
};
constexpr unsigned long kGetVersion = _IOR('K', 0x01, VersionArgs);
constexpr unsigned long kPcSample = _IOWR('K', 0x85, SampleArgs);
constexpr uint32_t kQuery = 0;
constexpr uint32_t kFirstMinor = 16;
constexpr uint64_t kPowerOfTwo = 1;

int Call(int driver, unsigned long request, void* arguments) {
  int result;
  do {
    result = ioctl(driver, request, arguments);
  } while (result == -1 && (errno == EINTR || errno == EAGAIN));
  return result == 0 ? 0 : errno;
}

rocprofiler_pc_sampling_unit_t UnitOf(uint32_t type) {
  constexpr rocprofiler_pc_sampling_unit_t kUnits[] = {ROCPROFILER_PC_SAMPLING_UNIT_TIME,
                                                       ROCPROFILER_PC_SAMPLING_UNIT_CYCLES,
                                                       ROCPROFILER_PC_SAMPLING_UNIT_INSTRUCTIONS};
  return type < 3 ? kUnits[type] : ROCPROFILER_PC_SAMPLING_UNIT_NONE;
}

rocprofiler_pc_sampling_configuration_t Offered(const SampleInfo& info) {
  rocprofiler_pc_sampling_configuration_t offered = {};
  offered.size = sizeof offered;
  offered.method = info.method == 1   ? ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP
                   : info.method == 2 ? ROCPROFILER_PC_SAMPLING_METHOD_STOCHASTIC
                                      : ROCPROFILER_PC_SAMPLING_METHOD_NONE;
  offered.unit = UnitOf(info.type);
  offered.min_interval = info.interval != 0 ? info.interval : info.least;
  offered.max_interval = info.interval != 0 ? info.interval : info.most;
  if ((info.flags & kPowerOfTwo) != 0)
    offered.flags = ROCPROFILER_PC_SAMPLING_CONFIGURATION_FLAGS_INTERVAL_POW2;
  return offered;
}

rocprofiler_status_t Query(int driver, uint32_t gpu_id,
                           rocprofiler_pc_sampling_configuration_t* out, uint32_t* count) {
  VersionArgs version = {};
  if (Call(driver, kGetVersion, &version) != 0) return ROCPROFILER_STATUS_ERROR;
  if (version.major < 1 || (version.major == 1 && version.minor < kFirstMinor))
    return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_KERNEL;
  SampleInfo infos[kMostSamplingConfigurations] = {};
  SampleArgs arguments = {};
  arguments.infos = reinterpret_cast<uint64_t>(infos);
  arguments.count = kMostSamplingConfigurations;
  arguments.operation = kQuery;
  arguments.gpu_id = gpu_id;
  const int error = Call(driver, kPcSample, &arguments);
  // Busy: a debugger has the GPU.
  if (error == EBUSY || error == EOPNOTSUPP || error == ENOTTY || error == EINVAL)
    return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  if (error != 0) return ROCPROFILER_STATUS_ERROR;
  *count = 0;
  for (uint32_t i = 0; i < arguments.count && i < kMostSamplingConfigurations; ++i)
    out[(*count)++] = Offered(infos[i]);
  return *count == 0 ? ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE : ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace

rocprofiler_status_t QuerySampling(uint32_t gpu_id, rocprofiler_pc_sampling_configuration_t* out,
                                   uint32_t* count) {
  const int driver = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  if (driver < 0) return ROCPROFILER_STATUS_ERROR_NOT_AVAILABLE;
  const rocprofiler_status_t status = Query(driver, gpu_id, out, count);
  (void)close(driver);
  return status;
}

}  // namespace rtl::sdk
