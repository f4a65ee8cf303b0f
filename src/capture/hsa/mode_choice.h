// SPDX-License-Identifier: MIT
// mode_choice.h: which mode is in force, given what was asked for and what the runtime survives.
//
//   the runtime hands over       auto       full
//   one packet at a time         full       full
//   batches, with room for all   full       full
//   batches, and writes past     standard   refused, unless forced
//   its buffer of 256 packets
//
// Why        docs/adr/0015-modes.md
#pragma once

#include "base/config.h"
#include "base/status.h"
#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

// How a runtime's intercept queues treat what the application wrote before it rang the doorbell.
enum class Handover : uint8_t { kOneByOne, kOverrunningBatches, kBatches };
Handover HandoverOf(const HsaTables& tables);

struct ModeChoice {
  Mode mode = Mode::kStandard;  // never kAuto
  char reason[160] = {};        // a sentence for the user
};

// An error when `asked` cannot be had on this runtime; it says what to do.
Status ChooseMode(Mode asked, bool force_full, const HsaTables& tables, ModeChoice* out);

}  // namespace rtl::capture
