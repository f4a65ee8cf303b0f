// SPDX-License-Identifier: MIT
// second_engine.h: an engine in a library of its own, for tests of two in one process. What stands
// here crosses from one to the other: C, or data of one layout.
//
// Threads    the test's, one at a time
#pragma once

#include <stdint.h>

#include "capture/engines/other_engines.h"
#include "model/records.h"

namespace rtl::testing {

struct SecondEngine {
  capture::ExchangeLinks exchange;
  bool (*install)(void* root_table, bool forward);
  void (*hold)(bool held);  // its worker; returns when it is
  void (*stop)();
  void (*remove)();  // after which it may be installed again
  uint64_t (*lost)();
  uint64_t (*recorded)();
  DispatchRecord (*dispatch)(uint64_t index);
};

}  // namespace rtl::testing

// `second_engine`, what the library exports.
using GetSecondEngine = const rtl::testing::SecondEngine* (*)();
