// SPDX-License-Identifier: MIT
// align.h: one time for the clocks of all hosts of a dataset (analysis/clock_alignment.h).
//
// Threads    one
// Blocking   until the engine has answered twice
// Memory     in proportion to the collectives that are compared: some hundreds for each ten seconds
// Errors     one line
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/clock_alignment.h"
#include "fleet/engine.h"
#include "fleet/scan.h"

namespace rtl::fleet {

// The clock of one boot of a machine; containers there have hosts' names of their own.
struct FleetClock {
  std::string key;  // boot id, or the host's name where that is not known
  std::set<std::string> hosts;
  std::set<std::string> ranks;  // as text
  std::vector<analysis::WallReading> readings;
  analysis::AlignedClock aligned;
};

struct FleetClocks {
  std::vector<FleetClock> clocks;  // by key
  std::vector<analysis::Meeting> meetings;

  // Null: no clock of it is known.
  const FleetClock* OfRank(const std::string& rank) const;
  // Sentences for people about clocks without an alignment, or without a bar.
  std::vector<std::string> Notes() const;
};

Status AlignClocks(const Fleet& fleet, const Engine& engine,
                   const std::map<std::string, std::string>& values, FleetClocks* out);

// A row for each clock.
Result ClocksAsResult(const FleetClocks& clocks);
// A row for each clock and the middle of each window: between them the offset is a straight line.
Result WindowsAsResult(const FleetClocks& clocks);

}  // namespace rtl::fleet
