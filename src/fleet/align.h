// SPDX-License-Identifier: MIT
// align.h: aligns the clocks of all hosts of a dataset (analysis/clock_alignment.h).
//
// Threads    one
// Blocking   until the engine has answered twice
// Memory     in proportion to the collectives compared: some hundreds for every ten seconds
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

// The clock of one boot of a machine. Containers on the machine share it, though their host names
// differ.
struct FleetClock {
  std::string key;  // boot id, or the host's name if the boot id is not known
  std::set<std::string> hosts;
  std::set<std::string> ranks;  // numbers of the ranks, as text
  std::vector<analysis::WallReading> readings;
  analysis::AlignedClock aligned;
};

struct FleetClocks {
  std::vector<FleetClock> clocks;  // by key
  std::vector<analysis::Meeting> meetings;

  // Null: no clock of this rank is known.
  const FleetClock* OfRank(const std::string& rank) const;
  // Sentences for users about clocks that are not aligned, or whose error is not known.
  std::vector<std::string> Notes() const;
};

Status AlignClocks(const Fleet& fleet, const Engine& engine,
                   const std::map<std::string, std::string>& values, FleetClocks* out);

// A row for each clock.
Result ClocksAsResult(const FleetClocks& clocks);
// One row for each clock and window, at the window's middle. Between two rows the offset is
// interpolated.
Result WindowsAsResult(const FleetClocks& clocks);

}  // namespace rtl::fleet
