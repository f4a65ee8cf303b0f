// SPDX-License-Identifier: MIT
// mode_choice.h: which mode is in force, given what was asked for and what the runtime survives.
//
//   the runtime's intercept      queue door
//   queues hand over             auto        intercept: auto   full
//   one packet at a time         intercept   full              full
//   batches, with room for all   intercept   full              full
//   batches, and write past      doorbell    standard          refused
//   their buffer of 256 packets                         unless forced
//
// At the doorbell every mode is sound. Where another tool, loaded before us, stands in
// hsa_queue_create, auto is the doorbell: an intercept queue of ours in place of what that tool
// makes would leave it without any. When it makes an intercept queue our hook is on that
// (queue_registry.cpp).
//
// Why        docs/adr/0015-modes.md, docs/adr/0005-doorbells.md
#pragma once

#include "base/config.h"
#include "base/status.h"
#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

// How a runtime's intercept queues treat what the application wrote before it rang the doorbell.
enum class Handover : uint8_t { kOneByOne, kOverrunningBatches, kBatches };
Handover HandoverOf(const HsaTables& tables);

struct ModeChoice {
  Mode mode = Mode::kStandard;               // never kAuto
  QueueDoor queues = QueueDoor::kIntercept;  // never kAuto
  char reason[192] = {};                     // a sentence for the user
};

struct ModeWish {
  Mode mode = Mode::kAuto;
  QueueDoor door = QueueDoor::kAuto;
  bool force_full = false;  // full is not refused
};

// An error when what is asked for cannot be had on this runtime; it says what to do.
Status ChooseMode(const ModeWish& wish, const HsaTables& tables, ModeChoice* out);

}  // namespace rtl::capture
