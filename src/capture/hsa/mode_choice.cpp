// SPDX-License-Identifier: MIT
#include "capture/hsa/mode_choice.h"

#include <stdio.h>

namespace rtl::capture {
namespace {

constexpr char kOverruns[] =
    "intercept queue writes past its buffer when more than 256 packets pile up";

void Say(ModeChoice* out, const char* text) {
  (void)snprintf(out->reason, sizeof(out->reason), "%s", text);
}

void SayWhyNotFull(const HsaTables& tables, ModeChoice* out) {
  (void)snprintf(out->reason, sizeof(out->reason),
                 "batches are left alone: this runtime's (AMD table %u.%u) %s", tables.amd_major(),
                 tables.amd_step(), kOverruns);
}

}  // namespace

Handover HandoverOf(const HsaTables& tables) {
  if (tables.root_major() < 2 || tables.amd_step() < hsa_tables::kAmdStepWithBatches) {
    return Handover::kOneByOne;
  }
  return tables.amd_step() < hsa_tables::kAmdStepWithRoomForBatches ? Handover::kOverrunningBatches
                                                                    : Handover::kBatches;
}

Status ChooseMode(Mode asked, bool force_full, const HsaTables& tables, ModeChoice* out) {
  const Handover handover = HandoverOf(tables);
  const bool overruns = handover == Handover::kOverrunningBatches;
  if (asked != Mode::kAuto) {
    out->mode = asked;
    Say(out, "asked for");
    if (asked != Mode::kFull || !overruns) return Status::Ok();
    if (force_full) {
      Say(out, "forced by RTL_FORCE_FULL on a runtime that may crash with it");
      return Status::Ok();
    }
    return Status::Error(
        "full mode is refused: this HSA runtime's (AMD table %u.%u) %s; use RTL_MODE=auto, or "
        "RTL_FORCE_FULL=1 at your own risk",
        tables.amd_major(), tables.amd_step(), kOverruns);
  }
  out->mode = overruns ? Mode::kStandard : Mode::kFull;
  if (overruns) {
    SayWhyNotFull(tables, out);
  } else if (handover == Handover::kOneByOne) {
    Say(out, "this runtime hands over one packet at a time");
  } else {
    Say(out, "this runtime hands over batches safely");
  }
  return Status::Ok();
}

}  // namespace rtl::capture
