// SPDX-License-Identifier: MIT
// chrome_values.h: reads values that Kineto's form of Chrome's JSON stores as texts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "import/chrome_json.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Reads "[82944, 1, 1]".
void ReadThree(std::string_view text, uint32_t out[3]);

// The times, the bytes, the direction and the GPU of a copy.
ImportedCopy CopyOf(const ChromeEvent& event, int64_t end);

// The GPU's number: the argument `device`, or else the event's pid, because Kineto gives a GPU a
// process of that number.
uint64_t DeviceOf(const ChromeEvent& event);

// Joins the begin and the end of a span ("B" and "E") into one event.
class ChromePairs {
 public:
  // True: `whole` is a complete event. False: `event` is a begin, or an end without a begin.
  bool Join(const ChromeEvent& event, ChromeEvent* whole);
  // Number of begins and ends without a partner so far.
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

// Reads "deviceProperties". *devices: by number of the device.
void ReadDevices(const std::string& json, std::map<uint64_t, ImportedDevice>* devices);

}  // namespace rtl::import
