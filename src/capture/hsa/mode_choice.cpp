// SPDX-License-Identifier: MIT
#include "capture/hsa/mode_choice.h"

#include <stdio.h>

namespace rtl::capture {
namespace {

constexpr char kOverruns[] = "intercept queue writes past its buffer of 256 packets";

void Say(ModeChoice* out, const char* text) {
  (void)snprintf(out->reason, sizeof(out->reason), "%s", text);
}

void SayOverruns(const HsaTables& tables, const char* consequence, ModeChoice* out) {
  (void)snprintf(out->reason, sizeof(out->reason), "%s: this runtime's (AMD table %u.%u) %s",
                 consequence, tables.amd_major(), tables.amd_step(), kOverruns);
}

}  // namespace

Handover HandoverOf(const HsaTables& tables) {
  if (tables.root_major() < 2 || tables.amd_step() < hsa_tables::kAmdStepWithBatches) {
    return Handover::kOneByOne;
  }
  return tables.amd_step() < hsa_tables::kAmdStepWithRoomForBatches ? Handover::kOverrunningBatches
                                                                    : Handover::kBatches;
}

Status ChooseMode(Mode asked, QueueDoor door, const HsaTables& tables, ModeChoice* out) {
  const Handover handover = HandoverOf(tables);
  const bool overruns = handover == Handover::kOverrunningBatches;
  out->queues = door;
  if (door == QueueDoor::kAuto)
    out->queues = overruns ? QueueDoor::kDoorbell : QueueDoor::kIntercept;
  const bool sound = !overruns || out->queues == QueueDoor::kDoorbell;
  if (asked == Mode::kFull && !sound) {
    return Status::Error(
        "full mode is refused with RTL_QUEUE_DOOR=intercept: this HSA runtime's (AMD table %u.%u) "
        "%s; use RTL_QUEUE_DOOR=auto",
        tables.amd_major(), tables.amd_step(), kOverruns);
  }
  if (asked != Mode::kAuto) {
    out->mode = asked;
    Say(out, "asked for");
    return Status::Ok();
  }
  out->mode = sound ? Mode::kFull : Mode::kStandard;
  if (!sound) {
    SayOverruns(tables, "batches are left alone", out);
  } else if (overruns) {
    SayOverruns(tables, "packets are seen at the doorbell", out);
  } else if (out->queues == QueueDoor::kDoorbell) {
    Say(out, "packets are seen at the doorbell");
  } else if (handover == Handover::kOneByOne) {
    Say(out, "this runtime hands over one packet at a time");
  } else {
    Say(out, "this runtime hands over batches safely");
  }
  return Status::Ok();
}

}  // namespace rtl::capture
