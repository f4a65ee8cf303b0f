// SPDX-License-Identifier: MIT
#include "dataset/live_dataset.h"

#include "dataset/claim.h"
#include "dataset/rank_files.h"
#include "spool/process_stat.h"
#include "trace/read/trace_reader.h"

namespace rtl::dataset {
namespace {

constexpr int kMostOfPid = 1000;  // most processes with the same pid

}  // namespace

LiveDataset::LiveDataset() = default;
LiveDataset::~LiveDataset() = default;

Status LiveDataset::Open(LiveOptions options) {
  options_ = std::move(options);
  while (options_.folder.size() > 1 && options_.folder.back() == '/') options_.folder.pop_back();
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  const std::string label = LabelOf(self.rank, self.host, self.pid);
  Claim claim;
  const Status taken = claim.Acquire(options_.folder, label, options_.replace && self.rank >= 0);
  if (self.rank < 0) {  // the claim has shown whether the folder can be written
    claim.End();
    return claim.is_of_others() ? Status::Ok() : taken;
  }
  RTL_TRY(taken);
  Make(label, self.rank, std::move(claim));
  return Status::Ok();
}

RankFiles* LiveDataset::Make(const std::string& label, int32_t rank, Claim claim) {
  auto files = std::make_unique<RankFiles>(options_.folder, OwnerOf(label, rank), std::move(claim),
                                           options_.only_summaries);
  return ranks_.emplace(label, std::move(files)).first->second.get();
}

// Finds a label without files. Different processes can have the same pid: in different containers,
// or one after the other.
Status LiveDataset::AcquireFree(const std::string& label, Claim* claim, std::string* free) {
  for (int number = 1; number < kMostOfPid; ++number) {
    *free = number == 1 ? label : label + "." + std::to_string(number);
    if (ranks_.contains(*free)) continue;
    const Status taken = claim->Acquire(options_.folder, *free, options_.replace);
    if (taken.ok() || !claim->is_of_others()) return taken;
  }
  return Status::Error("%s has the files of %d processes %s; choose another folder",
                       options_.folder.c_str(), kMostOfPid, label.c_str());
}

// The program runs already, so a process whose rank is taken is written under its pid instead of
// failing.
Status LiveDataset::Begin(const store::ProcessResult& process, RankFiles** out) {
  std::string label = LabelOf(process.rank, process.host, process.pid);
  const auto known = ranks_.find(label);
  if (known != ranks_.end() && !known->second->is_finished()) {
    *out = known->second.get();
    return Status::Ok();
  }
  Claim claim;
  int32_t rank = process.rank;
  if (rank >= 0) {
    const Status taken = claim.Acquire(options_.folder, label, options_.replace);
    if (!taken.ok() && !claim.is_of_others()) return taken;
    if (!taken.ok()) {
      rank = -1;
      RTL_TRY(AcquireFree(LabelOf(rank, process.host, process.pid), &claim, &label));
      options_.say("process " + std::to_string(process.pid) + " is written as " + label +
                   ", without its rank: " + taken.message());
    }
  } else {
    RTL_TRY(AcquireFree(LabelOf(rank, process.host, process.pid), &claim, &label));
  }
  *out = Make(label, rank, std::move(claim));
  return Status::Ok();
}

Status LiveDataset::FilesOf(const store::Part& part, RankFiles** out) {
  const auto known = of_process_.find(part.process);
  if (known == of_process_.end()) {
    RTL_TRY(Begin(part.result, out));
    of_process_.emplace(part.process, *out);
  } else {
    *out = known->second;
  }
  (*out)->Describe(part.result);
  return Status::Ok();
}

Status LiveDataset::Add(const store::Part& part) {
  RankFiles* files = nullptr;
  RTL_TRY(FilesOf(part, &files));
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(query::TraceReader::Open(part.database, &trace));
  RTL_TRY(files->AddPart(std::move(trace), part));
  // A server may start processes forever, so the files of one without a rank are completed as soon
  // as it ends.
  if (files->owner().rank.empty() && files->IsOver()) return files->Finish();
  return files->Tick(options_.segment_ns);
}

Status LiveDataset::Tick() {
  for (const auto& [label, files] : ranks_) RTL_TRY(files->Tick(options_.segment_ns));
  return Status::Ok();
}

Status LiveDataset::Finish(const store::CollectResult& result) {
  for (const store::ProcessResult& process : result.processes) {
    const bool is_taken =
        std::any_of(of_process_.begin(), of_process_.end(),
                    [&](const auto& entry) { return entry.second->Holds(process); });
    if (is_taken) continue;
    RankFiles* files = nullptr;
    RTL_TRY(Begin(process, &files));
    files->Describe(process);
    RTL_TRY(files->AddLosses(process));
  }
  Status all = Status::Ok();
  for (const auto& [label, files] : ranks_) {
    const Status finished = files->Finish();
    if (all.ok()) all = finished;
  }
  return all;
}

std::vector<WrittenFile> LiveDataset::files() const {
  std::vector<WrittenFile> files;
  for (const auto& [label, rank] : ranks_) rank->AddFilesTo(&files);
  return files;
}

std::vector<std::string> LiveDataset::labels() const {
  std::vector<std::string> labels;
  for (const auto& [label, rank] : ranks_) {
    if (rank->has_parts()) labels.push_back(label);
  }
  return labels;
}

}  // namespace rtl::dataset
