// SPDX-License-Identifier: MIT
// chrome_values.h: values that Kineto's form of Chrome's JSON has as texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/chrome_json.h"
#include "import/imported_trace.h"

namespace rtl::import {

// "[82944, 1, 1]".
void ReadThree(std::string_view text, uint32_t out[3]);

// The times, the bytes, the direction and the GPU of a copy.
ImportedCopy CopyOf(const ChromeEvent& event, int64_t end);

// `device` of its arguments, or its process, which Kineto gives the GPU's number.
uint64_t DeviceOf(const ChromeEvent& event);

// Makes one event of each two that are the begin and the end of a span ("B" and "E").
class ChromePairs {
 public:
  // False: `event` is a begin, or an end without one.
  bool Take(const ChromeEvent& event, ChromeEvent* whole);
  // Begins and ends without a pair, so far.
  uint64_t unpaired() const { return open_ + ends_; }

 private:
  static constexpr uint64_t kMostOpen = 65536;

  std::map<std::string, std::vector<ChromeEvent>> threads_;
  uint64_t open_ = 0, ends_ = 0;
};

struct Distributed {
  int32_t rank = -1;
  uint32_t world = 0;
};
Distributed ReadDistributed(const std::string& json);

// "deviceProperties", by number.
void ReadDevices(const std::string& json, std::map<uint64_t, ImportedDevice>* devices);

}  // namespace rtl::import
