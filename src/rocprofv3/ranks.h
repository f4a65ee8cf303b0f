// SPDX-License-Identifier: MIT
// ranks.h: which ranks of a job are traced (--profile-mpi-ranks).
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

// The variables of a launcher that is not known; empty: it is one that is.
struct RankVariables {
  std::string rank;
  std::string size;
};

// As the job's launcher says in the environment; nothing: this is no rank of a job.
std::optional<Rank> ThisRank(const RankVariables& variables);

// `ranks`: "0-3,8". Without a rank of its own a process is traced.
Status IsTraced(const std::string& ranks, const std::optional<Rank>& own, bool* traced);

}  // namespace rtl::v3
