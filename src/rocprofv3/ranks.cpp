// SPDX-License-Identifier: MIT
#include "rocprofv3/ranks.h"

#include <stdlib.h>

#include <sstream>

#include "base/text.h"

namespace rtl::v3 {
namespace {

// The environment variables of each launcher. More specific launchers come before general ones.
constexpr struct {
  const char* rank;
  const char* size;
} kVariables[] = {{"PBS_NODENUM", "PBS_O_TASKNUM"},
                  {"SLURM_PROCID", "SLURM_NTASKS"},
                  {"PMI_RANK", "PMI_SIZE"},
                  {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                  {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                  {"MPI_RANKID", "MPI_NRANKS"},
                  {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
                  {"MPI_RANK", "MPI_SIZE"}};

bool Number(const std::string& text, uint32_t* out) {
  uint64_t number = 0;
  const bool good = ParseNumber(text.c_str(), 0, UINT32_MAX, &number);
  if (good) *out = static_cast<uint32_t>(number);
  return good;
}

}  // namespace

std::optional<Rank> ThisRank(const RankVariables& variables) {
  const auto rank_of = [](const char* rank_name, const char* size_name) -> std::optional<Rank> {
    const char* const rank = getenv(rank_name);
    const char* const size = getenv(size_name);
    Rank own;
    if (rank == nullptr || size == nullptr) return std::nullopt;
    if (!Number(rank, &own.rank) || !Number(size, &own.size)) return std::nullopt;
    return own;
  };
  if (!variables.rank.empty()) return rank_of(variables.rank.c_str(), variables.size.c_str());
  for (const auto& [rank_name, size_name] : kVariables) {
    const std::optional<Rank> own = rank_of(rank_name, size_name);
    if (own.has_value()) return own;
  }
  return std::nullopt;
}

Status IsTraced(const std::string& ranks, const std::optional<Rank>& own, bool* traced) {
  *traced = !own.has_value();
  std::istringstream parts(ranks);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t dash = part.find('-');
    uint32_t first = 0, last = 0;
    const bool good = Number(part.substr(0, dash), &first) &&
                      Number(dash == std::string::npos ? part : part.substr(dash + 1), &last);
    if (!good || first > last) {
      return Status::Error("--profile-mpi-ranks takes ranks as 0-3,8; not %s", part.c_str());
    }
    if (!own.has_value()) continue;
    if (own->size > 0 && last >= own->size) {
      return Status::Error("--profile-mpi-ranks: no rank %u in a job of %u", last, own->size);
    }
    *traced = *traced || (own->rank >= first && own->rank <= last);
  }
  return Status::Ok();
}

}  // namespace rtl::v3
