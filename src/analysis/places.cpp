// SPDX-License-Identifier: MIT
#include "analysis/places.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "analysis/kernel_category.h"

namespace rtl::analysis {
namespace {

using query::HostWorkRow;

class PlaceReader {
 public:
  PlaceReader(query::TraceReader& trace, Places* out) : trace_(trace), out_(*out) {}

  void Add(const HostWorkRow& row) {
    if (row.process != process_ || row.thread != thread_) {
      open_.clear();
      process_ = row.process;
      thread_ = row.thread;
    }
    while (!open_.empty() && open_.back().end <= row.start) open_.pop_back();
    // Functions of Python are not part of a place: their lines differ between versions of a
    // program.
    if (row.kind == HostWorkRow::Kind::kPythonFunction) return;
    if (row.kind == HostWorkRow::Kind::kKernel) return AddKernel(row);
    const std::string& name = Text(row.name);
    Open open{.end = row.start + row.duration, .name = name};
    if (!open_.empty()) open.path = open_.back().path + ";";
    open.path += name;
    if (row.inputs != 0) open.inputs = Text(row.inputs);
    open_.push_back(std::move(open));
  }

  const Status& status() const { return failure_; }

 private:
  struct Open {
    uint64_t end = 0;
    std::string path = {}, inputs = {}, name = {};
    std::map<std::string, uint32_t> kernels = {};  // number of kernels so far, by class
  };

  const std::string& Text(int64_t id) {
    const auto [known, is_new] = texts_.try_emplace(id);
    if (is_new) {
      std::string_view text;
      const Status read = trace_.Text(id, &text);
      if (!read.ok() && failure_.ok()) failure_ = read;
      known->second = text;
    }
    return known->second;
  }

  // The class of a kernel for its position. Fills, copies and communication are counted apart from
  // computation: one library launches a fill before a matrix product, another one needs none.
  const std::string& ClassOf(const std::string& kernel) {
    const auto [known, is_new] = classes_.try_emplace(kernel);
    if (is_new) {
      const std::string& category = categories_.Name(kernel);
      const bool is_own =
          category == kCommunicationCategory || category == kCopyCategory || category == "fill";
      if (is_own) known->second = category;
    }
    return known->second;
  }

  void AddKernel(const HostWorkRow& row) {
    if (open_.empty()) return;
    Open& open = open_.back();
    const std::string& name = Text(row.name);
    const std::string& kind = ClassOf(name);
    const std::string place =
        open.path + "\n" + open.inputs + "\n" + kind + "\n" + std::to_string(open.kernels[kind]++);
    KernelsOfPlace& kernels = out_[place];
    if (kernels.operation.empty()) kernels.operation = open.name;
    kernels.kernels[name].Add(row.duration);
  }

  query::TraceReader& trace_;
  Places& out_;
  Status failure_ = Status::Ok();
  int64_t process_ = 0;
  uint32_t thread_ = 0;
  std::vector<Open> open_;
  std::unordered_map<int64_t, std::string> texts_;
  KernelCategories categories_;
  // Class by the name of the kernel; empty: computation.
  std::unordered_map<std::string, std::string> classes_;
};

std::set<std::string> KernelNames(const std::vector<Timings>& runs) {
  std::set<std::string> names;
  for (const Timings& run : runs) {
    for (const auto& [key, timing] : run) {
      if (key.first == Subject::kKernel) names.insert(key.second);
    }
  }
  return names;
}

// For each place, the kernel that runs most often among those that the other side does not have.
std::map<std::string, std::string> OnlyHere(const std::vector<Places>& runs,
                                            const std::set<std::string>& others) {
  std::map<std::string, std::map<std::string, uint64_t>> counts;
  for (const Places& places : runs) {
    for (const auto& [place, found] : places) {
      for (const auto& [name, durations] : found.kernels) {
        if (!others.contains(name)) counts[place][name] += durations.count();
      }
    }
  }
  std::map<std::string, std::string> most;
  for (const auto& [place, names] : counts) {
    most[place] = std::max_element(names.begin(), names.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                  })->first;
  }
  return most;
}

struct Pair {
  std::string name;  // "before -> after"
  std::string own;   // the kernel's name on this side
};
using Pairs = std::map<std::string, Pair>;  // by place

void Move(const Places& places, const Pairs& pairs, Timings* timings) {
  std::map<std::string, QuantileSketch> moved;  // by the new name
  for (const auto& [place, pair] : pairs) {
    const auto found = places.find(place);
    if (found == places.end()) continue;
    const auto kernel = found->second.kernels.find(pair.own);
    if (kernel == found->second.kernels.end()) continue;
    moved[pair.name].Add(kernel->second);
    const auto old = timings->find({Subject::kKernel, pair.own});
    if (old == timings->end()) continue;
    old->second.calls -= std::min(old->second.calls, kernel->second.count());
    old->second.total -= std::min(old->second.total, kernel->second.total());
    if (old->second.calls == 0) timings->erase(old);
  }
  for (const auto& [name, durations] : moved) {
    (*timings)[{Subject::kKernel, name}] = TimingOf(durations);
  }
}

}  // namespace

Status ReadPlaces(query::TraceReader& trace, Places* out) {
  out->clear();
  PlaceReader reader(trace, out);
  RTL_TRY(trace.HostWork([&](const HostWorkRow& row) { reader.Add(row); }));
  return reader.status();
}

std::map<std::string, std::string> PairByPlace(const std::vector<Places>& before,
                                               const std::vector<Places>& after,
                                               std::vector<Timings>* before_timings,
                                               std::vector<Timings>* after_timings) {
  const std::set<std::string> names_before = KernelNames(*before_timings);
  const std::set<std::string> names_after = KernelNames(*after_timings);
  const std::map<std::string, std::string> gone = OnlyHere(before, names_after);
  const std::map<std::string, std::string> added = OnlyHere(after, names_before);
  Pairs of_before, of_after;
  std::map<std::string, std::set<std::string>> operations;
  for (const auto& [place, name] : gone) {
    const auto other = added.find(place);
    if (other == added.end()) continue;
    const std::string pair = name + " -> " + other->second;
    of_before[place] = {pair, name};
    of_after[place] = {pair, other->second};
    for (const Places& places : before) {
      const auto found = places.find(place);
      if (found != places.end()) operations[pair].insert(found->second.operation);
    }
  }
  for (size_t i = 0; i < before.size(); ++i) Move(before[i], of_before, &(*before_timings)[i]);
  for (size_t i = 0; i < after.size(); ++i) Move(after[i], of_after, &(*after_timings)[i]);
  std::map<std::string, std::string> texts;
  for (const auto& [pair, names] : operations) {
    std::string& text = texts[pair];
    text = *names.begin();
    if (names.size() > 1) text += " and " + std::to_string(names.size() - 1) + " more";
  }
  return texts;
}

}  // namespace rtl::analysis
