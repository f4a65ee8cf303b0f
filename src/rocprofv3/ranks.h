// SPDX-License-Identifier: MIT
// ranks.h: the ranks of a job that are traced (--profile-mpi-ranks).
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

// The variables of an unknown launcher; empty: the launcher is known.
struct RankVariables {
  std::string rank;
  std::string size;
};

// From the launcher's environment variables; empty: this is no rank of a job.
std::optional<Rank> ThisRank(const RankVariables& variables);

// `ranks`: "0-3,8". A process without a rank is traced.
Status IsTraced(const std::string& ranks, const std::optional<Rank>& own, bool* traced);

}  // namespace rtl::v3
