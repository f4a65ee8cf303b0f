// SPDX-License-Identifier: MIT
#include "dataset/rank_files.h"

#include <algorithm>

#include "base/clock.h"
#include "dataset/columns.h"
#include "tables/name_id.h"
#include "trace/collect/clock_reading.h"
#include "trace/schema/schema.h"

namespace rtl::dataset {
namespace {

using tables::Batch;
using tables::Bytes;
using tables::ColumnValues;

constexpr int64_t kPart = 1;  // the id of the process inside its part
// How long parts wait for more kernels before steps are looked for.
constexpr uint64_t kWaitNs = 60'000'000'000;
constexpr size_t kMostHeld = 16;  // the most parts that wait until their steps are found
// Most kernels that wait to be summed until earlier kernels are known. The limit is needed because
// a kernel may run as long as the program.
constexpr ptrdiff_t kMostWaiting = 1 << 18;
// A segment with fewer rows than a row group is completed when its age is this many times
// LiveOptions::segment_ns.
constexpr uint64_t kMostSegmentTimes = 10;
// GPU times are translated to the host's clock, so a kernel may seem to begin a moment before its
// submission.
constexpr int64_t kTranslationNs = 1'000'000;
// Number of queue ids that each process of a rank has.
constexpr int64_t kQueuesOfProcess = 1000;

bool IsOfProcess(tables::TableId table) {
  return table == tables::TableId::kGpus || table == tables::TableId::kLosses ||
         table == tables::TableId::kProcesses;
}

template <typename Change>
void ChangeIntegers(size_t rows, const Change& change, ColumnValues* column) {
  if (column->nulls == rows) return;
  std::shared_ptr<int64_t[]> values(new int64_t[rows]);
  std::copy_n(column->integers(), rows, values.get());
  for (size_t row = 0; row < rows; ++row) change(row, &values[row]);
  column->values = std::move(values);
}

void SetNull(size_t rows, ColumnValues* column) {
  column->valid = std::shared_ptr<uint64_t[]>(new uint64_t[rows / 64 + 1]());
  column->nulls = rows;
}

// The word for a process that did not end by itself; empty for one that did.
std::string_view EndOf(store::ProcessEnd end) {
  // kReplaced has none: the program that replaced it is a process of its own.
  if (end == store::ProcessEnd::kKilled) return "killed";
  return end == store::ProcessEnd::kAbandoned ? "running" : "";
}

}  // namespace

RankFiles::RankFiles(std::string folder, Owner owner, Claim claim, bool only_summaries)
    : folder_(std::move(folder)),
      owner_(std::move(owner)),
      claim_(std::move(claim)),
      only_summaries_(only_summaries) {}

void RankFiles::Describe(const store::ProcessResult& process) {
  if (!owner_.host.empty() && owner_.world >= process.world) return;
  owner_.host = process.host;
  owner_.world = std::max(owner_.world, process.world);
  owner_.realtime_minus_boottime = std::to_string(process.realtime_minus_boottime);
}

bool RankFiles::Holds(const store::ProcessResult& process) const {
  return std::ranges::any_of(processes_, [&](const auto& entry) {
    return entry.second.result.pid == process.pid && entry.second.result.started == process.started;
  });
}

bool RankFiles::IsOver() const {
  return std::ranges::all_of(processes_, [](const auto& entry) {
    return entry.second.is_over && entry.second.result.end != store::ProcessEnd::kReplaced;
  });
}

TableWriter& RankFiles::Writer(tables::TableId table) {
  const tables::Table& description = tables::Describe(table);
  return writers_
      .try_emplace(table, folder_, Table{description.name, description.columns}, owner_,
                   OrderOf(table))
      .first->second;
}

RankFiles::Process& RankFiles::Find(const store::Part& part) {
  const auto [found, is_new] = processes_.try_emplace(part.process);
  Process& process = found->second;
  process.result = part.result;
  if (!is_new) return process;
  process.number = static_cast<int64_t>(processes_.size());
  if (segment_began_ == 0) segment_began_ = BootTimeNs();
  return process;
}

// Changes ids so that they are unique in the rank. Every part numbers its rows from one, and its
// process is number one.
void RankFiles::Renumber(const tables::Table& table, Process* process, Batch* batch) const {
  const auto column = [&](const char* name) -> ColumnValues* {
    const size_t place = table.Find(name);
    return place == table.columns.size() ? nullptr : &batch->columns[place];
  };
  ChangeIntegers(
      batch->rows, [&](size_t, int64_t* id) { *id = process->number; }, column("process"));
  if (owner_.rank.empty()) SetNull(batch->rows, column("rank"));
  if (ColumnValues* const queue = column("queue"); queue != nullptr && process->number > 1) {
    ChangeIntegers(
        batch->rows, [&](size_t, int64_t* id) { *id += (process->number - 1) * kQueuesOfProcess; },
        queue);
  }
  ColumnValues* const ids = column("id");
  if (ids == nullptr) return;
  // The id of a HIP call is its correlation id, which is unique over all parts already.
  const bool has_apis = table.id == tables::TableId::kCalls;
  const ColumnValues* const kinds = has_apis                               ? column("api")
                                    : table.id == tables::TableId::kEvents ? column("kind")
                                                                           : nullptr;
  // Highest id before and after this batch, by key of the kind.
  std::map<int32_t, std::pair<int64_t, int64_t>> used;
  const auto key_of = [&](uint32_t row) { return kinds == nullptr ? 0 : kinds->keys()[row]; };
  const auto text_of = [&](int32_t key) {
    return kinds == nullptr ? std::string()
                            : std::string((*kinds->texts)[static_cast<size_t>(key)]);
  };
  ChangeIntegers(
      batch->rows,
      [&](size_t row, int64_t* id) {
        const int32_t key = key_of(static_cast<uint32_t>(row));
        const auto [known, is_new] = used.try_emplace(key);
        if (is_new) {
          const std::string kind = text_of(key);
          known->second.first = has_apis && kind == "hip" ? 0 : process->ids[{table.id, kind}];
        }
        *id += known->second.first;
        known->second.second = std::max(known->second.second, *id);
      },
      ids);
  for (const auto& [key, range] : used) {
    int64_t& next = process->next_ids[{table.id, text_of(key)}];
    next = std::max(next, range.second);
  }
}

Status RankFiles::AddTable(query::TraceReader& trace, const tables::Table& table, bool is_last,
                           Process* process) {
  std::unique_ptr<tables::TableReader> reader;
  RTL_TRY(tables::TableReader::Open(
      trace, table, {.columns = {}, .name = {}, .selection = {}, .earlier = &process->earlier},
      &reader));
  const size_t unclosed = table.Find("unclosed");
  process->next_ids.clear();
  while (true) {
    Batch batch;
    RTL_TRY(reader->Next(&batch));
    if (batch.rows == 0) break;
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < batch.rows; ++row) {
      // A range that is still open is left out here: it comes again in the next part.
      const bool goes_on = !is_last && unclosed != table.columns.size() &&
                           batch.columns[unclosed].integers()[row] != 0;
      if (!goes_on) rows.push_back(row);
    }
    TakeNames(table, batch, rows, &names_);
    if (only_summaries_ && !IsOfProcess(table.id)) continue;
    Renumber(table, process, &batch);
    RTL_TRY(Writer(table.id).Append(batch, rows));
  }
  for (const auto& [key, next] : process->next_ids) process->ids[key] = next;
  return Status::Ok();
}

// Reads the kernels of a part. Call it before the part's rows are added.
Status RankFiles::TakeSpans(Process::Held* part, Process* process) {
  query::TraceReader& trace = *part->trace;
  const bool is_sought = process->is_repeated || !process->earlier.steps.HasAny(kPart);
  query::KernelSpanCursor spans;
  RTL_TRY(trace.SpansByStart(&spans));
  std::unordered_map<int64_t, std::pair<int64_t, KernelKind>> names;  // by id of the text
  return spans.Each([&](const query::KernelSpan& span) {
    const auto [name, is_new] = names.try_emplace(span.name);
    if (is_new) {
      std::string text;
      RTL_TRY(trace.Text(span.name, &text));
      KnownName& known = names_[text];
      known.name_id = tables::NameId(text);
      const KernelKind kind = KindOf(categories_.Name(text));
      known.kind = TextOf(kind);
      name->second = {known.name_id, kind};
    }
    const auto [name_id, kind] = name->second;
    const uint64_t submit = span.submit != 0 ? span.submit : span.start;
    if (kind == KernelKind::kCommunication) process->earlier.collectives[span.queue].Add(submit);
    process->waiting.push_back({.kernel = {.step = std::nullopt,
                                           .name_id = name_id,
                                           .kind = kind,
                                           .start = static_cast<int64_t>(span.start),
                                           .duration = static_cast<int64_t>(span.end - span.start)},
                                .submit = submit,
                                .part = part->number});
    part->first_submit = part->first_submit == 0 ? submit : std::min(part->first_submit, submit);
    part->last_submit = std::max(part->last_submit, submit);
    if (is_sought) process->sequence.emplace_back(submit, name_id);
    return Status::Ok();
  });
}

Status RankFiles::AddSums(bool is_last, Process* process) {
  if (sums_ == nullptr) sums_ = std::make_unique<SummaryFiles>(folder_, owner_);
  if (process->summaries == nullptr) {
    Summaries::Process identity{.process = process->number,
                                .pid = process->result.pid,
                                .rank = std::nullopt,
                                .host = owner_.host};
    if (!owner_.rank.empty()) identity.rank = process->result.rank;
    process->summaries = std::make_unique<Summaries>(identity, sums_.get());
  }
  auto& waiting = process->waiting;
  const auto start_of = [](const Process::Waiting& each) { return each.kernel.start; };
  std::ranges::stable_sort(waiting, {}, start_of);
  const Process::Held& part = process->held.front();
  for (Process::Waiting& each : waiting) {
    if (each.part == part.number) each.kernel.step = process->earlier.steps.At(kPart, each.submit);
  }
  const int64_t settled = static_cast<int64_t>(part.settled) - kTranslationNs;
  auto until = is_last ? waiting.end() : std::ranges::lower_bound(waiting, settled, {}, start_of);
  if (std::distance(until, waiting.end()) > kMostWaiting) {
    const auto is_later = [&](const auto& each) { return each.part > part.number; };
    until = std::find_if(until, waiting.end() - kMostWaiting, is_later);
  }
  for (auto each = waiting.begin(); each != until; ++each) {
    RTL_TRY(process->summaries->Add(each->kernel));
  }
  waiting.erase(waiting.begin(), until);
  return is_last ? process->summaries->End() : Status::Ok();
}

Status RankFiles::AddClock() {
  using C = ClocksColumn;
  clock_read_ = BootTimeNs();
  if (clock_writer_ == nullptr) {
    clock_writer_ =
        std::make_unique<TableWriter>(folder_, dataset::Describe(TableId::kClocks), owner_);
  }
  TableWriter& row = *clock_writer_;
  const query::ClockRow reading = store::ReadClockRow();
  const Process& first = processes_.begin()->second;
  row.Set(C::process, first.number);
  row.Set(C::pid, first.result.pid);
  if (!owner_.rank.empty()) row.Set(C::rank, first.result.rank);
  row.SetText(C::host, owner_.host);
  row.SetText(C::boot_id, first.result.boot_id);
  return WriteClock(reading, &row);
}

Status RankFiles::AddHeld(bool is_last, Process* process) {
  const Process::Held& part = process->held.front();
  for (const tables::Table& table : tables::Tables()) {
    if (IsOfProcess(table.id) ? !is_last : only_summaries_) continue;
    RTL_TRY(AddTable(*part.trace, table, is_last, process));
  }
  RTL_TRY(AddSums(is_last, process));
  process->earlier.steps.ForgetBefore(part.first_submit);
  process->held.pop_front();
  return Status::Ok();
}

// Passes kernels to the search for repeated steps. All kernels that were submitted up to `until`
// are known.
void RankFiles::FindSteps(uint64_t until, Process* process) {
  auto& sequence = process->sequence;
  if (!process->is_repeated && process->earlier.steps.HasAny(kPart)) {
    process->repeated = {};
    sequence = {};
    return;
  }
  std::ranges::stable_sort(sequence, {}, &std::pair<uint64_t, int64_t>::first);
  const auto known =
      std::ranges::upper_bound(sequence, until, {}, &std::pair<uint64_t, int64_t>::first);
  for (auto each = sequence.begin(); each != known; ++each) {
    process->repeated.Add(each->first, each->second);
  }
  sequence.erase(sequence.begin(), known);
}

// Adds the rows of parts whose steps are known.
Status RankFiles::AddWhole(Process* process) {
  const std::vector<tables::RepeatedSteps::Begin> begins = process->repeated.TakeBegins();
  process->is_repeated |= !begins.empty();
  process->earlier.steps.Add(kPart, begins);
  while (process->held.size() > 1 && process->held.front().is_whole &&
         process->repeated.IsDecided(process->held.front().last_submit)) {
    RTL_TRY(AddHeld(false, process));
  }
  return Status::Ok();
}

Status RankFiles::AddPart(std::unique_ptr<query::TraceReader> trace, const store::Part& part) {
  Process& process = Find(part);
  if (!process.is_repeated) RTL_TRY(process.earlier.steps.Load(*trace));
  process.held.push_back({.trace = std::move(trace),
                          .read = part.read,
                          .settled = part.settled,
                          .number = ++process.parts,
                          .came = BootTimeNs()});
  RTL_TRY(TakeSpans(&process.held.back(), &process));
  for (Process::Held& held : process.held) {
    if (held.is_whole || held.number == process.parts) continue;
    if (!part.is_last && held.read >= part.whole) break;
    held.is_whole = true;
    FindSteps(held.last_submit, &process);
  }
  if (part.is_last) FindSteps(UINT64_MAX, &process);
  if (part.is_last || process.held.size() > kMostHeld) process.repeated.Decide();
  RTL_TRY(AddWhole(&process));
  if (part.is_last) RTL_TRY(AddHeld(true, &process));
  if (clock_read_ == 0) RTL_TRY(AddClock());
  if (!part.is_last) return Status::Ok();
  if (const std::string_view end = EndOf(part.result.end); !end.empty()) end_ = end;
  process.is_over = true;
  // Frees memory that only further parts of this process would need.
  process.earlier = {};
  process.repeated = {};
  process.ids.clear();
  process.waiting = {};
  return Status::Ok();
}

Status RankFiles::AddLosses(const store::ProcessResult& process) {
  using L = tables::LossesColumn;
  // Processes with parts have their ordinals as keys. This one has none, so it gets a key from the
  // upper end.
  Process& known = processes_[SIZE_MAX - processes_.size()];
  known.result = process;
  known.number = static_cast<int64_t>(processes_.size());
  TableWriter& row = Writer(tables::TableId::kLosses);
  const auto set = [&](L column, int64_t value) { row.Set(static_cast<size_t>(column), value); };
  const auto text = [&](L column, std::string_view value) {
    row.SetText(static_cast<size_t>(column), value);
  };
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const auto kind = static_cast<EventKind>(k);
    const auto add = [&](const std::string& counter, uint64_t events) {
      set(L::process, known.number);
      set(L::pid, process.pid);
      if (!owner_.rank.empty()) set(L::rank, process.rank);
      text(L::host, owner_.host);
      text(L::kind, EventKindName(kind));
      text(L::counter, counter);
      set(L::events, static_cast<int64_t>(events));
      return row.EndRow();
    };
    const store::KindTotals& totals = process.kind(kind);
    RTL_TRY(add(store::kSubmittedCounter, totals.submitted));
    RTL_TRY(add("recorded", totals.recorded));
    for (size_t loss = 0; loss < kLossCount; ++loss) {
      if (totals.losses[loss] == 0) continue;
      RTL_TRY(add(std::string("loss.") + LossName(static_cast<Loss>(loss)), totals.losses[loss]));
    }
  }
  return Status::Ok();
}

// The greatest number of pending rows, in the tables that segments complete.
size_t RankFiles::MostPending() const {
  size_t rows = 0;
  for (const auto& [table, writer] : writers_) {
    if (!IsOfProcess(table)) rows = std::max(rows, writer.pending_rows());
  }
  if (sums_ == nullptr) return rows;
  return std::max({rows, sums_->kernels.pending_rows(), sums_->histogram.pending_rows()});
}

Status RankFiles::Tick(uint64_t least_ns) {
  if (processes_.empty() || is_finished_) return Status::Ok();
  const uint64_t now = BootTimeNs();
  if (now - clock_read_ >= store::kClockPeriodNs) RTL_TRY(AddClock());
  for (auto& [place, process] : processes_) {
    // Few kernels come, so the wait for more is given up: steps are looked for in those that are
    // there.
    if (process.held.size() < 2 || now - process.held.front().came < kWaitNs) continue;
    process.repeated.Decide();
    RTL_TRY(AddWhole(&process));
  }
  const uint64_t age = now - segment_began_;
  if (age < least_ns) return Status::Ok();
  const size_t rows = MostPending();
  const bool is_due =
      rows >= parquet::kGroupRows || (rows != 0 && age / kMostSegmentTimes >= least_ns);
  return is_due ? EndFiles() : Status::Ok();
}

// Completes the open files of all tables except the table of processes, which Finish writes.
Status RankFiles::EndFiles() {
  segment_began_ = BootTimeNs();
  if (name_writer_ == nullptr) {
    name_writer_ =
        std::make_unique<TableWriter>(folder_, dataset::Describe(TableId::kNames), owner_);
  }
  // The file of names comes first, because rows whose name is missing are left out of answers.
  RTL_TRY(WriteNewNames(owner_, &names_, name_writer_.get()));
  RTL_TRY(name_writer_->EndFile());
  for (auto& [table, writer] : writers_) {
    if (table != tables::TableId::kProcesses) RTL_TRY(writer.EndFile());
  }
  if (sums_ != nullptr) RTL_TRY(sums_->End());
  return clock_writer_ == nullptr ? Status::Ok() : clock_writer_->EndFile();
}

void RankFiles::AddFilesTo(std::vector<WrittenFile>* files) const {
  files->insert(files->end(), finished_.begin(), finished_.end());
  for (const auto& [table, writer] : writers_) {
    if (table != tables::TableId::kProcesses) writer.AddFilesTo(files);
  }
  if (sums_ != nullptr) sums_->AddFilesTo(files);
  for (const auto* const writer : {&name_writer_, &clock_writer_}) {
    if (*writer != nullptr) (*writer)->AddFilesTo(files);
  }
}

Status RankFiles::Finish() {
  if (is_finished_) return Status::Ok();
  is_finished_ = true;
  if (!processes_.empty()) {
    RTL_TRY(AddClock());
    RTL_TRY(EndFiles());
    TableWriter& processes = Writer(tables::TableId::kProcesses);
    std::vector<WrittenFile> files;
    AddFilesTo(&files);
    finished_ = std::move(files);
    processes.Describe(kFilesKey, ListOf(finished_));
    if (!end_.empty()) processes.Describe(kEndKey, end_);
    if (only_summaries_) processes.Describe(kSummariesKey, "1");
    RTL_TRY(processes.EndFile(true));
  }
  writers_.clear();
  sums_ = nullptr;
  name_writer_ = nullptr;
  clock_writer_ = nullptr;
  names_.clear();
  claim_.End();
  return Status::Ok();
}

}  // namespace rtl::dataset
