// SPDX-License-Identifier: MIT
#include "report/runs.h"

#include <algorithm>

namespace rtl::report {
namespace {

uint32_t Votes(uint64_t length) {
  return static_cast<uint32_t>(std::clamp<uint64_t>(length, 1, UINT32_MAX));
}

// Finds the shape of the majority without counting all shapes: the algorithm of Boyer and Moore.
void Vote(uint32_t what, uint32_t votes, Run* run) {
  if (run->what == what) {
    run->more = Votes(uint64_t{run->more} + votes);
  } else if (run->more >= votes) {
    run->more -= votes;
  } else {
    run->what = what;
    run->more = votes - run->more;
  }
}

}  // namespace

uint32_t Run::votes() const { return count == 1 ? Votes(end - start) : more; }

size_t RunRows::AddRow(uint64_t least) {
  rows_.push_back({least, {}});
  return rows_.size() - 1;
}

bool RunRows::Join(const Row& row, Run* last, const Run& next) const {
  const uint64_t end = std::max(last->end, next.end);
  const bool overlaps = next.start < last->end;
  if (!overlaps && end - last->start > std::max(resolution_, row.least)) return false;
  if (resolution_ == 0 && row.least == 0 && !overlaps) return false;
  const uint64_t busy = last->busy() + next.busy();
  last->more = last->votes();
  last->track = 0;
  last->end = end;
  last->count += next.count;
  last->extra = std::min(busy, end - last->start);
  Vote(next.what, next.votes(), last);
  return true;
}

void RunRows::Add(size_t index, const Slice& slice) {
  Row& row = rows_[index];
  Run run{.start = slice.start,
          .end = std::max(slice.start, slice.end),
          .extra = slice.wait,
          .count = 1,
          .what = slice.what,
          .more = slice.link.lead,
          .track = slice.link.track};
  if (!row.runs.empty()) {
    run.start = std::max(run.start, row.runs.back().start);
    run.end = std::max(run.start, run.end);
    if (Join(row, &row.runs.back(), run)) return;
  }
  row.runs.push_back(run);
  if (++size_ <= most_) return;
  while (size_ > most_ - most_ / 4 && Coarsen()) {
  }
}

bool RunRows::Coarsen() {
  if (size_ <= rows_.size() || resolution_ > UINT64_MAX / 2) return false;
  resolution_ = std::max(kFirstResolution, resolution_ * 2);
  for (Row& row : rows_) Squeeze(&row);
  return true;
}

void RunRows::Squeeze(Row* row) {
  std::vector<Run>& runs = row->runs;
  if (runs.empty()) return;
  size_t last = 0;
  for (size_t i = 1; i < runs.size(); ++i) {
    if (!Join(*row, &runs[last], runs[i])) runs[++last] = runs[i];
  }
  size_ -= runs.size() - (last + 1);
  runs.resize(last + 1);
}

std::vector<RunGroup> GroupRuns(const std::vector<Run>& runs, uint64_t gap) {
  struct Part {
    uint32_t what;
    uint64_t busy;
  };
  std::vector<RunGroup> groups;
  std::vector<Part> parts;
  const auto close = [&] {
    if (parts.empty()) return;
    const auto most = std::max_element(
        parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.busy < b.busy; });
    groups.back().what = most->what;
    parts.clear();
  };
  for (size_t i = 0; i < runs.size(); ++i) {
    const bool breaks =
        i == 0 || groups.back().runs == kRunsOfAGroup || runs[i].start - runs[i - 1].end > gap;
    if (breaks) {
      close();
      groups.emplace_back();
    }
    ++groups.back().runs;
    const auto known = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part& part) { return part.what == runs[i].what; });
    if (known == parts.end()) {
      parts.push_back({runs[i].what, runs[i].busy()});
    } else {
      known->busy += runs[i].busy();
    }
  }
  close();
  return groups;
}

}  // namespace rtl::report
