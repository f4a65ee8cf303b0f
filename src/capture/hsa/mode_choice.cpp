// SPDX-License-Identifier: MIT
#include "capture/hsa/mode_choice.h"

#include <dlfcn.h>
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

// Returns null if the address is in no library.
template <typename T>
const void* LibraryOf(T* address) {
  Dl_info info;
  return dladdr(reinterpret_cast<const void*>(address), &info) == 0 ? nullptr : info.dli_fbase;
}

// The tables are part of the runtime's library, so a function that is in another library belongs to
// another tool. If the tables are in no library, the runtime is identified by a function that no
// tool has a reason to replace.
bool SomebodyElseMakesQueues(const HsaTables& tables) {
  const void* runtime = LibraryOf(tables.core_table());
  if (runtime == nullptr) runtime = LibraryOf(tables.api().queue_load_read_index_scacquire);
  const void* const maker = LibraryOf(tables.api().queue_create);
  return runtime != nullptr && maker != nullptr && runtime != maker;
}

}  // namespace

Handover HandoverOf(const HsaTables& tables) {
  if (tables.root_major() < 2 || tables.amd_step() < hsa_tables::kAmdStepWithBatches) {
    return Handover::kOneByOne;
  }
  return tables.amd_step() < hsa_tables::kAmdStepWithRoomForBatches ? Handover::kOverrunningBatches
                                                                    : Handover::kBatches;
}

Status ChooseMode(const ModeWish& wish, const HsaTables& tables, ModeChoice* out) {
  const Handover handover = HandoverOf(tables);
  const bool overruns = handover == Handover::kOverrunningBatches;
  const bool others = SomebodyElseMakesQueues(tables);
  out->queues = wish.method;
  if (wish.method == QueueMethod::kAuto)
    out->queues = overruns || others ? QueueMethod::kDoorbell : QueueMethod::kIntercept;
  const bool sound = !overruns || out->queues == QueueMethod::kDoorbell;
  const bool full_is_unsound = wish.mode == Mode::kFull && !sound;
  if (full_is_unsound && !wish.force_full) {
    return Status::Error(
        "full mode is refused with RTL_QUEUE_METHOD=intercept: this HSA runtime's (AMD table "
        "%u.%u) "
        "%s; use RTL_QUEUE_METHOD=auto, or at your own risk RTL_FORCE_FULL=1",
        tables.amd_major(), tables.amd_step(), kOverruns);
  }
  if (wish.mode != Mode::kAuto) {
    out->mode = wish.mode;
    Say(out, "asked for");
    if (full_is_unsound) SayOverruns(tables, "forced", out);
    return Status::Ok();
  }
  out->mode = sound ? Mode::kFull : Mode::kStandard;
  if (!sound) {
    SayOverruns(tables, "batches are left alone", out);
  } else if (overruns) {
    SayOverruns(tables, "packets are seen at the doorbell", out);
  } else if (others && out->queues == QueueMethod::kDoorbell) {
    Say(out, "another tool makes the queues, which stay as it makes them");
  } else if (out->queues == QueueMethod::kDoorbell) {
    Say(out, "packets are seen at the doorbell");
  } else if (handover == Handover::kOneByOne) {
    Say(out, "this runtime hands over one packet at a time");
  } else {
    Say(out, "this runtime hands over batches safely");
  }
  return Status::Ok();
}

}  // namespace rtl::capture
