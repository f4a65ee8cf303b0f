// SPDX-License-Identifier: MIT
// summaries.h: sums the kernels of each step of a process for the tables steps, step_kernels and
// step_histogram. Kernels come in the order of their starts. The sums equal those that SQL computes
// from the rows of kernels.
//
// Threads    one
// Memory     the steps that are not yet complete, kOpenSteps at most: the names of their kernels,
//            and for each name a histogram of durations, exact to 6 bits
// Errors     those of writing files
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/status.h"
#include "dataset/columns.h"
#include "dataset/table_writer.h"

namespace rtl::dataset {

enum class KernelKind : uint8_t { kCompute, kCommunication, kCopy };
const char* TextOf(KernelKind kind);

// `duration` with all but its highest 6 bits cleared, which is within 1/32 of it. Durations with
// the same result share a bucket of the histogram.
inline int64_t LowOf(int64_t duration) {
  const int width = std::bit_width(static_cast<uint64_t>(duration));
  return width <= 6 ? duration : duration >> (width - 6) << (width - 6);
}

struct SummaryKernel {
  std::optional<int64_t> step;
  int64_t name_id = 0;
  KernelKind kind = KernelKind::kCompute;
  int64_t start = 0;
  int64_t duration = 0;
};

struct SummaryFiles {
  SummaryFiles(const std::string& folder, const Owner& owner);
  Status End();
  void AddFilesTo(std::vector<WrittenFile>* files) const;

  TableWriter steps, kernels, histogram;
};

class Summaries {
 public:
  static constexpr size_t kOpenSteps = 16;

  // `process` has the same meaning as in all tables. `files` must outlive the object.
  struct Process {
    int64_t process = 0;
    int64_t pid = 0;
    std::optional<int64_t> rank;
    std::string host;
  };
  Summaries(Process process, SummaryFiles* files) : process_(std::move(process)), files_(files) {}

  // Kernels must come in the order of their starts.
  Status Add(const SummaryKernel& kernel);
  Status End();

 private:
  struct OfName {
    KernelKind kind = KernelKind::kCompute;
    int64_t kernels = 0, total = 0, shortest = 0, longest = 0;
    std::map<int64_t, int64_t> histogram;  // number of kernels by LowOf(duration)
  };
  struct Step {
    int64_t start = 0, end = 0;
    int64_t busy = 0, computing = 0, communicating = 0, longest_gap = 0;
    int64_t kernels = 0, collectives = 0;
    std::map<int64_t, OfName> names;
  };

  Status Write(std::optional<int64_t> number, const Step& step);
  template <typename Columns>
  void SetRank(TableWriter* table) const;

  Process process_;
  SummaryFiles* files_;
  std::map<std::optional<int64_t>, Step> open_;
  int64_t end_ = 0;                   // the latest end of all kernels so far
  std::array<int64_t, 3> ends_ = {};  // the latest end, by kind of kernel
};

}  // namespace rtl::dataset
