// SPDX-License-Identifier: MIT
// late_request.h: how this process handles a request from another process (model/late_trace.h), for
// every kind of request.
//
// Threads    the one that was started for the request
#pragma once

#include "model/late_trace.h"

namespace rtl {

// True while the process that made the request lives.
bool TracerLives(const LateTraceRequest& request);
// Waits until that process requests to leave, or has ended.
void AwaitLeave(const LateTraceRequest& request);
// Refuses the request with this reason, and thereby ends it. Called only once.
void Refuse(LateTraceRequest* request, const char* why,
            LateTraceRequest::State state = LateTraceRequest::State::kRefused);

}  // namespace rtl
