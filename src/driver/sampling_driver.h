// SPDX-License-Identifier: MIT
// sampling_driver.h: PC sampling as the kernel driver has it: what a GPU offers, and a reservation of one
// configuration, which holds for every process of the machine.
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
  kOldDriver,     // its interface, or what it knows of this GPU, is too old
  kTaken,         // the GPU has another configuration
  kInvalid,       // no such method, unit or interval
  kFailed,
};

enum class SamplingMethod : uint32_t { kHostTrap = 1, kStochastic = 2 };
enum class SamplingUnit : uint32_t { kMicroseconds = 0, kCycles = 1, kInstructions = 2 };

struct SamplingOffer {
  uint64_t interval;  // that the GPU is sampled at; zero: it is not sampled
  uint64_t least, most;
  uint64_t flags;  // 1: powers of two
  SamplingMethod method;
  SamplingUnit unit;
};

inline constexpr uint32_t kMostSamplingOffers = 16;

// Of the GPU with this number of the driver's and this name ("gfx90a"). When it is sampled, what is in use
// alone. Methods that this driver is not safe with on this GPU are left out.
SamplingAnswer QuerySampling(uint32_t gpu_id, const char* name, SamplingOffer* out,
                             uint32_t* count);

// Whether that driver is safe with the method on that GPU. `version`: of its PC sampling, major << 16 | minor.
SamplingAnswer SamplingSupport(const char* name, SamplingMethod method, uint32_t version);

// A configuration of a GPU, until Release or the end of the process.
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
