// SPDX-License-Identifier: MIT
#include "analysis/category_times.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analysis/work_by_start.h"

namespace rtl::analysis {
namespace {

enum class Role : uint8_t { kComputation, kCommunication, kCopy };

Role RoleOf(std::string_view category) {
  if (category == kCommunicationCategory) return Role::kCommunication;
  return category == kCopyCategory ? Role::kCopy : Role::kComputation;
}

// The times of one GPU. Its kernels and copies come in the order of their starts.
class Gpu {
 public:
  explicit Gpu(const Work& first) {
    shares_.gpu = first.gpu;
    shares_.first = shares_.last = at_ = first.start;
  }

  void Add(const Work& work, const std::string& category) {
    Advance(work.start);
    const auto [known, is_new] = categories_.try_emplace(category);
    Category& of = known->second;
    if (is_new) {
      of.time.category = category;
      of.role = RoleOf(category);
    }
    ++of.time.kernels;
    of.time.total += work.end - std::min(work.start, work.end);
    of.until = std::max(of.until, work.end);
    shares_.last = std::max(shares_.last, work.end);
  }

  WorkShares Finish() {
    Advance(shares_.last);
    for (auto& [name, category] : categories_)
      shares_.categories.push_back(std::move(category.time));
    std::sort(shares_.categories.begin(), shares_.categories.end(),
              [](const CategoryTime& a, const CategoryTime& b) {
                return a.total != b.total ? a.total > b.total : a.category < b.category;
              });
    return std::move(shares_);
  }

 private:
  struct Category {
    CategoryTime time;
    Role role = Role::kComputation;
    uint64_t until = 0;  // when the last running work of the category ends
  };

  void Advance(uint64_t to) {
    while (at_ < to) {
      uint64_t next = to;  // until then the same categories run
      for (const auto& [name, category] : categories_)
        if (category.until > at_) next = std::min(next, category.until);
      Count(next - at_);
      at_ = next;
    }
  }
  void Count(uint64_t time) {
    Category* only = nullptr;
    size_t running = 0;
    bool has[3] = {};
    for (auto& [name, category] : categories_) {
      if (category.until <= at_) continue;
      ++running;
      only = &category;
      category.time.busy += time;
      has[static_cast<size_t>(category.role)] = true;
    }
    if (running == 0) return;
    if (running == 1) only->time.alone += time;
    shares_.busy += time;
    const bool computes = has[static_cast<size_t>(Role::kComputation)];
    const bool communicates = has[static_cast<size_t>(Role::kCommunication)];
    const bool copies = has[static_cast<size_t>(Role::kCopy)];
    if (computes) shares_.computation += time;
    if (communicates) shares_.communication += time;
    if (copies) shares_.copies += time;
    if (communicates && !computes) shares_.exposed_communication += time;
    if (copies && !computes && !communicates) shares_.exposed_copies += time;
  }

  WorkShares shares_;
  std::map<std::string, Category> categories_;
  uint64_t at_ = 0;  // time before this is counted
};

}  // namespace

Status TimeByCategory(query::TraceReader& trace, const KernelCategories& categories,
                      std::vector<WorkShares>* out) {
  out->clear();
  std::map<int32_t, Gpu> gpus;
  // Category by the id of the kernel's name.
  std::unordered_map<int64_t, const std::string*> of_kernels;
  const std::string copy = kCopyCategory;
  const auto add = [&](const Work& work) {
    if (work.gpu < 0) return Status::Ok();
    const std::string* category = &copy;
    if (!work.is_copy()) {
      const auto [known, is_new] = of_kernels.try_emplace(work.name);
      if (is_new) {
        std::string name;
        RTL_TRY(trace.Text(work.name, &name));
        known->second = &categories.Name(name);
      }
      category = known->second;
    }
    gpus.try_emplace(work.gpu, work).first->second.Add(work, *category);
    return Status::Ok();
  };
  RTL_TRY(EachWorkByStart(trace, add));
  for (auto& [number, gpu] : gpus) out->push_back(gpu.Finish());
  return Status::Ok();
}

}  // namespace rtl::analysis
