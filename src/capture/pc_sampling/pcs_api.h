// SPDX-License-Identifier: MIT
// pcs_api.h: the runtime's extension for PC samples (hsa_ven_amd_pc_sampling.h of ROCm 6.4 and
// later). These types are declared here because older headers lack them.
//
// Threads    Open: the thread that hooks the runtime. The extension's functions: any
// Errors     Open: false if the runtime has no such table
#pragma once

#include <hsa/hsa.h>
#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

enum class PcsMethod : uint32_t { kHostTrap = 0, kStochastic = 1 };
enum class PcsUnits : uint32_t { kMicroseconds = 0, kClockCycles = 1, kInstructions = 2 };

struct PcsConfiguration {
  PcsMethod method;
  PcsUnits units;
  size_t min_interval, max_interval;
  uint64_t flags;
};
static_assert(sizeof(PcsConfiguration) == 32);

// A sample in the layout in which the trap handler writes it for host traps.
struct PcsHostTrapSample {
  uint64_t pc, exec_mask;
  uint32_t workgroup[3];
  uint32_t wave;  // bits 0 to 5: wave in its workgroup; bits 8 to 15: chiplet (XCC)
  uint32_t hw_id;
  uint32_t reserved[3];
  uint64_t timestamp;
  uint64_t correlation;
};
static_assert(sizeof(PcsHostTrapSample) == 64);
// Parts of `correlation`: the packet's index, and the index of the doorbell in its page.
inline constexpr uint64_t kPcsPacketBits = 25;
inline constexpr uint64_t kPcsDoorbellShift = 32, kPcsDoorbellMask = 0x3ff;

using PcsCopyData = hsa_status_t (*)(void* context, size_t bytes, void* to);
using PcsDataReady = void (*)(void* user, size_t bytes, size_t lost, PcsCopyData copy,
                              void* context);

struct PcsApi {
  hsa_status_t (*iterate_configuration)(hsa_agent_t agent,
                                        hsa_status_t (*visit)(const PcsConfiguration*, void*),
                                        void* data) = nullptr;
  hsa_status_t (*create)(hsa_agent_t agent, PcsMethod method, PcsUnits units, size_t interval,
                         size_t latency, size_t buffer_bytes, PcsDataReady ready, void* user,
                         uint64_t* session) = nullptr;
  hsa_status_t (*destroy)(uint64_t session) = nullptr;
  hsa_status_t (*start)(uint64_t session) = nullptr;
  hsa_status_t (*stop)(uint64_t session) = nullptr;
  hsa_status_t (*flush)(uint64_t session) = nullptr;

  // `root`: an HsaApiTable.
  bool Open(const void* root);
};

}  // namespace rtl::capture
