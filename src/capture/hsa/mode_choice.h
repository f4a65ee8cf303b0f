// SPDX-License-Identifier: MIT
// mode_choice.h: chooses the mode from the request and from the runtime's abilities.
//
//   the runtime's intercept      method
//   queues hand over             auto        intercept: auto   full
//   one packet at a time         intercept   full              full
//   batches, with room for all   intercept   full              full
//   batches, and write past      doorbell    standard          refused
//   their buffer of 256 packets                         unless forced
//
// With the doorbell method every mode is safe. If another tool that was loaded before the tracer
// has wrapped hsa_queue_create, auto chooses doorbell: an intercept queue of the tracer in place of
// that tool's queue would leave the tool without a queue. If the tool itself makes an intercept
// queue, the tracer's hook is added to that queue (queue_registry.cpp).
//
// Why        docs/adr/0015-modes.md, docs/adr/0005-doorbells.md
#pragma once

#include "base/config.h"
#include "base/status.h"
#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

// What a runtime's intercept queues do with the packets that the application wrote before it rang
// the doorbell.
enum class Handover : uint8_t { kOneByOne, kOverrunningBatches, kBatches };
Handover HandoverOf(const HsaTables& tables);

struct ModeChoice {
  Mode mode = Mode::kStandard;                   // never kAuto
  QueueMethod queues = QueueMethod::kIntercept;  // never kAuto
  char reason[192] = {};                         // a sentence for the user
};

struct ModeWish {
  Mode mode = Mode::kAuto;
  QueueMethod method = QueueMethod::kAuto;
  bool force_full = false;  // allow full mode where it is unsafe
};

// Returns an error if the request is not possible on this runtime. The error says what the user can
// do.
Status ChooseMode(const ModeWish& wish, const HsaTables& tables, ModeChoice* out);

}  // namespace rtl::capture
