// SPDX-License-Identifier: MIT
#include "tables/repeated_steps.h"

#include <algorithm>

#include "analysis/step_times.h"

namespace rtl::tables {
namespace {

// A step ends after this many times the kernels of the longest step before it. So kernels that
// follow the last step of a program are not counted in that step.
constexpr uint64_t kMostGrowth = 2;

}  // namespace

void RepeatedSteps::Add(uint64_t submit, int64_t name) {
  if (first_) return Count({submit, name});
  waiting_.push_back({submit, name});
  if (waiting_.size() == kWaiting || submit - waiting_.front().submit >= kWaitNs) Decide();
}

void RepeatedSteps::Decide() {
  if (waiting_.empty()) return;
  for (const Kernel& kernel : waiting_) earlier_.push_back(kernel.name);
  const std::vector<size_t> places = analysis::FindRepetition(earlier_);
  if (!places.empty()) {
    first_ = earlier_[places.front()];
    earlier_ = {};
    for (const Kernel& kernel : waiting_) Count(kernel);
    waiting_ = {};
    return;
  }
  waiting_.clear();
  const size_t kept = kLooked - kWaiting;
  if (earlier_.size() > kept) earlier_.erase(earlier_.begin(), earlier_.end() - kept);
}

void RepeatedSteps::Count(const Kernel& kernel) {
  if (kernel.name == *first_) {
    if (is_open_) most_ = std::max(most_, kernels_);
    begins_.push_back({kernel.submit, next_++});
    is_open_ = true;
    kernels_ = 0;
  } else if (is_open_ && most_ != 0 && kernels_ == kMostGrowth * most_) {
    begins_.push_back({kernel.submit, std::nullopt});
    is_open_ = false;
  }
  ++kernels_;
}

}  // namespace rtl::tables
