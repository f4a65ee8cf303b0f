// SPDX-License-Identifier: MIT
// late_request.h: what the process does with a request from outside (model/late_trace.h), whatever it
// asks for.
//
// Threads    the one that was made for the request
#pragma once

#include "model/late_trace.h"

namespace rtl {

// True while the one outside lives.
bool TracerLives(const LateTraceRequest& request);
// Until it asks to leave, or is gone.
void AwaitLeave(const LateTraceRequest& request);
// Only once, and then the request is over.
void Refuse(LateTraceRequest* request, const char* why,
            LateTraceRequest::State state = LateTraceRequest::State::kRefused);

}  // namespace rtl
