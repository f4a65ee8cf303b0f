// SPDX-License-Identifier: MIT
// verdict.h: what is to be known of a job, in ten lines: the answers of several questions, and only
// what stands out of the noise of its ranks and steps.
//
// Threads    one
// Blocking   until the engine has answered
// Memory     a row for each rank and for each step
#pragma once

#include <string>

#include "base/status.h"
#include "fleet/engine.h"
#include "fleet/scan.h"

namespace rtl::fleet {

Status Verdict(const Fleet& fleet, const Engine& engine, std::string* out);

}  // namespace rtl::fleet
