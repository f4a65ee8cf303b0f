// SPDX-License-Identifier: MIT
#include "libraries/librtl/late_request.h"

#include "base/clock.h"
#include "base/text.h"
#include "spool/process_stat.h"

namespace rtl {
namespace {

constexpr uint64_t kLookNs = 5'000'000;
constexpr uint64_t kAliveNs = 200'000'000;  // between two checks that the requesting process lives

}  // namespace

bool TracerLives(const LateTraceRequest& request) {
  spool::ProcessStat stat;
  return spool::ReadProcessStat(request.tracer, &stat) && !stat.dead() &&
         stat.start_ticks == request.tracer_start;
}

void AwaitLeave(const LateTraceRequest& request) {
  for (uint64_t looked = BootTimeNs(); request.leave.load(std::memory_order_acquire) == 0;) {
    Nap(kLookNs);
    const uint64_t now = BootTimeNs();
    if (now - looked < kAliveNs) continue;
    looked = now;
    if (!TracerLives(request)) return;
  }
}

void Refuse(LateTraceRequest* request, const char* why, LateTraceRequest::State state) {
  CopyText(request->why, sizeof request->why, why);
  request->state.store(state, std::memory_order_release);
}

}  // namespace rtl
