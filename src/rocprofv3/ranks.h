// SPDX-License-Identifier: MIT
// ranks.h: selects the ranks of a job that are traced (--profile-mpi-ranks).
//
// Threads    any
// Errors     one line that names the option
#pragma once

#include <optional>
#include <string>

#include "base/status.h"

namespace rtl::v3 {

struct Rank {
  uint32_t rank = 0;
  uint32_t size = 0;
};

// The environment variables of a launcher that is not in the list. Empty: the launcher is in it.
struct RankVariables {
  std::string rank;
  std::string size;
};

// Reads the launcher's environment variables. Empty: this process is not a rank of a job.
std::optional<Rank> ThisRank(const RankVariables& variables);

// `ranks`: "0-3,8". A process without a rank is always traced.
Status IsTraced(const std::string& ranks, const std::optional<Rank>& own, bool* traced);

}  // namespace rtl::v3
