// SPDX-License-Identifier: MIT
// sampling_driver.h: PC sampling of the kernel driver: the configurations that a GPU offers, and a
// reservation of one of them, which holds for every process of the machine.
//
// Threads    any
// Blocking   two or three driver calls
// Errors     SamplingAnswer
#pragma once

#include <stdint.h>

namespace rtl {

enum class SamplingAnswer : uint8_t {
  kOk,
  kNotAvailable,  // no driver, no such GPU, or one that cannot be sampled; a debugger has it
  kOldDriver,     // its interface, or its support of this GPU, is too old
  kTaken,         // the GPU has another configuration
  kInvalid,       // no such method, unit or interval
  kFailed,
};

enum class SamplingMethod : uint32_t { kHostTrap = 1, kStochastic = 2 };
enum class SamplingUnit : uint32_t { kMicroseconds = 0, kCycles = 1, kInstructions = 2 };

struct SamplingOffer {
  uint64_t interval;  // the interval in use; zero: the GPU is not being sampled
  uint64_t least, most;
  uint64_t flags;  // 1: powers of two
  SamplingMethod method;
  SamplingUnit unit;
};

inline constexpr uint32_t kMostSamplingOffers = 16;

// Queries the GPU with this driver number and this name ("gfx90a"). While the GPU is sampled, the
// answer holds only the configuration in use. Methods that are unsafe with this driver on this GPU
// are left out.
SamplingAnswer QuerySampling(uint32_t gpu_id, const char* name, SamplingOffer* out,
                             uint32_t* count);

// Whether this driver is safe with the method on this GPU. `version`: of its PC sampling, major <<
// 16 | minor.
SamplingAnswer SamplingSupport(const char* name, SamplingMethod method, uint32_t version);

// A reserved configuration of a GPU, until Release or the end of the process.
class SamplingReservation {
 public:
  // kTaken: *interval is now the one in use.
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
