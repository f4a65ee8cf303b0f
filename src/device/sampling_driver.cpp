// SPDX-License-Identifier: MIT
#include "device/sampling_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/files_apart.h"

namespace rtl {
namespace {

// As in <linux/kfd_ioctl.h>. PC_SAMPLE exists only in AMD's own kernel module.
struct VersionArgs {
  uint32_t major, minor;
};
struct SampleInfo {
  uint64_t interval, least, most, flags;
  uint32_t method, type;
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
enum Operation : uint32_t { kQuery = 0, kCreate = 1, kDestroy = 2 };
constexpr uint32_t kFirstMinor = 16;

// Zero, or an errno.
int Call(int driver, unsigned long request, void* arguments) {
  int result;
  do {
    result = ioctl(driver, request, arguments);
  } while (result == -1 && (errno == EINTR || errno == EAGAIN));
  return result == 0 ? 0 : errno;
}

int OpenDriver() { return AboveStandardStreams(open("/dev/kfd", O_RDWR | O_CLOEXEC)); }

// The first versions of the driver's PC sampling that are safe. Earlier ones hang GPUs.
struct Safe {
  const char* prefix;
  SamplingMethod method;
  uint32_t version;
};
constexpr uint32_t Version(uint32_t major, uint32_t minor) { return major << 16 | minor; }
constexpr Safe kSafe[] = {
    {"gfx90a", SamplingMethod::kHostTrap, Version(0, 1)},
    {"gfx94", SamplingMethod::kHostTrap, Version(0, 3)},
    {"gfx95", SamplingMethod::kHostTrap, Version(1, 2)},
    {"gfx94", SamplingMethod::kStochastic, Version(1, 3)},
    {"gfx95", SamplingMethod::kStochastic, Version(1, 4)},
};

// `infos` has room for kMostSamplingOffers. Null: only the version is queried.
SamplingAnswer Ask(int driver, uint32_t gpu_id, SampleInfo* infos, uint32_t* count,
                   uint32_t* pcs_version) {
  VersionArgs version = {};
  if (Call(driver, kGetVersion, &version) != 0) return SamplingAnswer::kFailed;
  if (version.major < 1 || (version.major == 1 && version.minor < kFirstMinor))
    return SamplingAnswer::kOldDriver;
  SampleArgs arguments = {};
  arguments.infos = reinterpret_cast<uint64_t>(infos);
  arguments.count = infos == nullptr ? 0 : kMostSamplingOffers;
  arguments.operation = kQuery;
  arguments.gpu_id = gpu_id;
  const int error = Call(driver, kPcSample, &arguments);
  // EBUSY: a debugger has the GPU. The others: `gpu_id` is not that of a GPU, or the driver is
  // Linux's own, which does not have this call.
  if (error == EBUSY || error == EOPNOTSUPP || error == ENOTTY || error == EINVAL)
    return SamplingAnswer::kNotAvailable;
  if (error != 0) return SamplingAnswer::kFailed;
  *count = arguments.count < kMostSamplingOffers ? arguments.count : kMostSamplingOffers;
  *pcs_version = arguments.version;
  return SamplingAnswer::kOk;
}

SamplingAnswer AnswerOf(int error) {
  switch (error) {
    case 0:
      return SamplingAnswer::kOk;
    case EBUSY:
      return SamplingAnswer::kNotAvailable;
    case EEXIST:
      return SamplingAnswer::kTaken;
    case EINVAL:
      return SamplingAnswer::kInvalid;
    default:
      return SamplingAnswer::kFailed;
  }
}

}  // namespace

SamplingAnswer SamplingSupport(const char* name, SamplingMethod method, uint32_t version) {
  for (const Safe& safe : kSafe) {
    if (safe.method != method || strncmp(name, safe.prefix, strlen(safe.prefix)) != 0) continue;
    return version >= safe.version ? SamplingAnswer::kOk : SamplingAnswer::kOldDriver;
  }
  return SamplingAnswer::kNotAvailable;
}

SamplingAnswer QuerySampling(uint32_t gpu_id, const char* name, SamplingOffer* out,
                             uint32_t* count) {
  const int driver = OpenDriver();
  if (driver < 0) return SamplingAnswer::kNotAvailable;
  SampleInfo infos[kMostSamplingOffers] = {};
  uint32_t offered = 0, version = 0;
  const SamplingAnswer answer = Ask(driver, gpu_id, infos, &offered, &version);
  (void)close(driver);
  *count = 0;
  if (answer != SamplingAnswer::kOk) return answer;
  for (uint32_t i = 0; i < offered; ++i) {
    const SampleInfo& info = infos[i];
    const auto method = static_cast<SamplingMethod>(info.method);
    if (SamplingSupport(name, method, version) != SamplingAnswer::kOk) continue;
    out[(*count)++] = {info.interval, info.least, info.most,
                       info.flags,    method,     static_cast<SamplingUnit>(info.type)};
  }
  return *count == 0 ? SamplingAnswer::kNotAvailable : SamplingAnswer::kOk;
}

SamplingAnswer SamplingReservation::Reserve(uint32_t gpu_id, const char* name,
                                            SamplingMethod method, SamplingUnit unit,
                                            uint64_t* interval) {
  const int driver = OpenDriver();
  if (driver < 0) return SamplingAnswer::kNotAvailable;
  uint32_t offered = 0, version = 0;
  SamplingAnswer answer = Ask(driver, gpu_id, nullptr, &offered, &version);
  if (answer == SamplingAnswer::kOk) answer = SamplingSupport(name, method, version);
  if (answer == SamplingAnswer::kOk) {
    // The fields not set below are zero, as in the runtime's sessions: the driver compares all
    // fields.
    SampleInfo info = {};
    info.interval = *interval;
    info.method = static_cast<uint32_t>(method);
    info.type = static_cast<uint32_t>(unit);
    SampleArgs arguments = {};
    arguments.infos = reinterpret_cast<uint64_t>(&info);
    arguments.count = 1;
    arguments.operation = kCreate;
    arguments.gpu_id = gpu_id;
    answer = AnswerOf(Call(driver, kPcSample, &arguments));
    if (answer == SamplingAnswer::kTaken) *interval = info.interval;
    gpu_id_ = gpu_id;
    session_ = arguments.session;
  }
  if (answer == SamplingAnswer::kOk)
    driver_ = driver;
  else
    (void)close(driver);
  return answer;
}

void SamplingReservation::Release() {
  if (!held()) return;
  SampleArgs arguments = {};
  arguments.operation = kDestroy;
  arguments.gpu_id = gpu_id_;
  arguments.session = session_;
  (void)Call(driver_, kPcSample, &arguments);  // also done by the driver when the process ends
  (void)close(driver_);
  driver_ = -1;
}

}  // namespace rtl
