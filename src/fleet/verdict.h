// SPDX-License-Identifier: MIT
// verdict.h: summarizes a job in about ten lines, from the answers of several questions. It reports
// only differences that stand out of the noise of ranks and steps.
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
