// SPDX-License-Identifier: MIT
// sampling_driver.h: the kernel driver's PC sampling: queries the configurations that a GPU offers,
// and reserves one of them. A reservation holds for every process of the machine.
//
// Threads    any
// Blocking   two or three driver calls
// Errors     SamplingAnswer
#pragma once

#include <stdint.h>

namespace rtl {

enum class SamplingAnswer : uint8_t {
  kOk,
  kNotAvailable,  // no driver, no such GPU, a GPU without PC sampling, or a debugger has the GPU
  kOldDriver,     // the driver's interface, or its support of this GPU, is too old
  kTaken,         // the GPU is sampled with another configuration
  kInvalid,       // the GPU has no such method, unit or interval
  kFailed,
};

enum class SamplingMethod : uint32_t { kHostTrap = 1, kStochastic = 2 };
enum class SamplingUnit : uint32_t { kMicroseconds = 0, kCycles = 1, kInstructions = 2 };

struct SamplingOffer {
  uint64_t interval;  // the interval in use; zero: the GPU is not being sampled
  uint64_t least, most;
  uint64_t flags;  // 1: intervals are powers of two
  SamplingMethod method;
  SamplingUnit unit;
};

inline constexpr uint32_t kMostSamplingOffers = 16;

// Queries the GPU with this driver number and this name ("gfx90a"). While the GPU is sampled, the
// answer holds only the configuration in use. Methods that are unsafe with this driver on this GPU
// are left out.
SamplingAnswer QuerySampling(uint32_t gpu_id, const char* name, SamplingOffer* out,
                             uint32_t* count);

// Whether this version of the driver can use the method on this GPU safely. `version`: that of the
// driver's PC sampling, major << 16 | minor.
SamplingAnswer SamplingSupport(const char* name, SamplingMethod method, uint32_t version);

// Reserves a configuration of a GPU until Release or the end of the process.
class SamplingReservation {
 public:
  // kTaken: *interval is set to the interval in use.
  SamplingAnswer Reserve(uint32_t gpu_id, const char* name, SamplingMethod method,
                         SamplingUnit unit, uint64_t* interval);
  void Release();
  bool held() const { return driver_ >= 0; }

 private:
  int driver_ = -1;
  uint32_t gpu_id_ = 0;
  uint32_t session_ = 0;
};

}  // namespace rtl
