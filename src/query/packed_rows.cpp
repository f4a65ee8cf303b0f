// SPDX-License-Identifier: MIT
#include "query/packed_rows.h"

#include <sqlite3.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "query/error.h"
#include "query/statement.h"
#include "query/trace_file.h"
#include "store/packed_block.h"

namespace rtl::query {
namespace {

constexpr size_t kBatchesAhead = 4;

constexpr char kBlocksBySubmit[] = "SELECT id, rows, first_submit, last_submit FROM rtl_op_block";
constexpr char kBlocksByStart[] = "SELECT id, rows, first_start, last_start FROM rtl_op_block";

// The least size of a row of rtl_op_block. The reference chain of a damaged file may be circular.
constexpr uint64_t kLeastBlockBytes = 16;

// The launches of a block; its rows point into them.
using Launches = std::shared_ptr<const std::vector<Launch>>;

// Rows come in runs, one queue after another, so sorting them means merging the runs.
void SortRuns(std::vector<std::pair<uint64_t, uint32_t>>* keys) {
  std::vector<size_t> ends;
  for (size_t i = 1; i < keys->size(); ++i) {
    if ((*keys)[i].first < (*keys)[i - 1].first) ends.push_back(i);
  }
  ends.push_back(keys->size());
  while (ends.size() > 1) {
    std::vector<size_t> merged;
    size_t begin = 0;
    for (size_t i = 0; i + 1 < ends.size(); i += 2) {
      const auto at = [&](size_t place) {
        return keys->begin() + static_cast<std::ptrdiff_t>(place);
      };
      std::inplace_merge(at(begin), at(ends[i]), at(ends[i + 1]));
      merged.push_back(begin = ends[i + 1]);
    }
    if (ends.size() % 2 != 0) merged.push_back(ends.back());
    ends = std::move(merged);
  }
}

}  // namespace

struct PackedRows::Batch {
  std::vector<PackedRow> rows;
  std::vector<Launches> launches;  // of the blocks of these rows
};

class PackedRows::Producer {
 public:
  Producer(const std::string& path, int64_t type, RowOrder order, const std::atomic<bool>* cancel)
      : path_(path), type_(type), order_(order), cancel_(cancel) {}
  ~Producer();

  Status Open();
  // The number of rows that must be in memory at once to merge all blocks.
  uint64_t MostOpenRows() const;
  // False: the system has no thread for it.
  bool Start();
  // Exchanges the batch that the caller has read (or null) for the next one. Null: there is no
  // more.
  Status Take(std::unique_ptr<Batch>* batch);

 private:
  struct BlockSpan {
    int64_t id = 0;
    uint64_t rows = 0;
    uint64_t first = 0;
    uint64_t last = 0;
  };

  void Run();
  Status Produce();
  Status ReadBlock(const BlockSpan& block);
  Status TakeLaunches(Launches* out);
  Status MakeRows(const BlockSpan& block, const std::vector<Launch>& launches);
  PackedRow MakeRow(int64_t id, size_t i, const std::vector<Launch>& launches) const;
  Status EmitBefore(uint64_t key);
  std::unique_ptr<Batch> SpareBatch();
  Status Emit(std::unique_ptr<Batch> batch);

  const std::string path_;
  const int64_t type_;
  const RowOrder order_;
  const std::atomic<bool>* const cancel_;

  // Used by the thread.
  sqlite3* db_ = nullptr;
  Statement data_;
  LaunchTable table_;
  store::BlockUnpacker unpacker_;
  store::UnpackedBlock block_;
  std::vector<BlockSpan> blocks_;
  std::vector<std::pair<uint64_t, uint32_t>> keys_;
  std::vector<PackedRow> rows_;               // of the block that was read last
  std::vector<PackedRow> open_;               // in order; those before `given_` have been emitted
  std::vector<PackedRow> merged_, unsorted_;  // kept for their memory
  size_t given_ = 0;
  std::vector<std::pair<uint64_t, Launches>> open_launches_;  // with the last key of their block

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Batch>> ready_;
  std::unique_ptr<Batch> spare_;  // reused for its memory
  Status result_ = Status::Ok();
  bool finished_ = false;  // no further batch follows
  bool unwanted_ = false;  // the caller has left
  std::thread thread_;
};

PackedRows::Producer::~Producer() {
  {
    const std::lock_guard lock(mutex_);
    unwanted_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  data_ = Statement();
  table_.Finalize();
  (void)sqlite3_close_v2(db_);
}

Status PackedRows::Producer::Open() {
  RTL_TRY(OpenDatabase(path_, &db_));
  RTL_TRY(table_.Prepare(db_, path_));
  RTL_TRY(data_.Prepare(db_, path_, "SELECT data FROM rtl_op_block WHERE id = ?1"));
  std::error_code error;
  const uint64_t most_blocks = std::filesystem::file_size(path_, error) / kLeastBlockBytes;
  Statement spans;
  RTL_TRY(
      spans.Prepare(db_, path_, order_ == RowOrder::kSubmit ? kBlocksBySubmit : kBlocksByStart));
  while (true) {
    bool has_row = false;
    RTL_TRY(spans.Step(&has_row));
    if (!has_row) break;
    blocks_.push_back({spans.Int(0), spans.Unsigned(1), spans.Unsigned(2), spans.Unsigned(3)});
    const BlockSpan& block = blocks_.back();
    if (block.rows > store::kBlockRows || spans.Int(2) < 0 || block.first > block.last ||
        blocks_.size() > most_blocks) {
      return FileError(path_, "a block of packed rows is broken: impossible numbers");
    }
  }
  std::stable_sort(blocks_.begin(), blocks_.end(),
                   [](const BlockSpan& a, const BlockSpan& b) { return a.first < b.first; });
  return Status::Ok();
}

uint64_t PackedRows::Producer::MostOpenRows() const {
  std::vector<std::pair<uint64_t, uint64_t>> open;  // a heap of (last, rows), least first
  uint64_t rows = 0;
  uint64_t most = 0;
  for (const BlockSpan& block : blocks_) {
    while (!open.empty() && open.front().first < block.first) {
      rows -= open.front().second;
      std::pop_heap(open.begin(), open.end(), std::greater<>());
      open.pop_back();
    }
    open.emplace_back(block.last, block.rows);
    std::push_heap(open.begin(), open.end(), std::greater<>());
    most = std::max(most, rows += block.rows);
  }
  return most;
}

bool PackedRows::Producer::Start() {
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void PackedRows::Producer::Run() {
  const Status result = Produce();
  {
    const std::lock_guard lock(mutex_);
    result_ = result;
    finished_ = true;
  }
  changed_.notify_all();
}

Status PackedRows::Producer::Produce() {
  for (const BlockSpan& block : blocks_) {
    RTL_TRY(EmitBefore(block.first));
    RTL_TRY(ReadBlock(block));
    merged_.clear();
    std::merge(open_.begin() + static_cast<std::ptrdiff_t>(given_), open_.end(), rows_.begin(),
               rows_.end(), std::back_inserter(merged_),
               [](const PackedRow& a, const PackedRow& b) { return a.key < b.key; });
    open_.swap(merged_);
    given_ = 0;
  }
  return EmitBefore(UINT64_MAX);
}

Status PackedRows::Producer::ReadBlock(const BlockSpan& block) {
  RTL_TRY(data_.Bind(1, block.id));
  bool has_row = false;
  RTL_TRY(data_.Step(&has_row));
  const Status unpacked = unpacker_.Unpack(data_.Blob(0), block.rows, &block_);
  if (!unpacked.ok()) return FileError(path_, unpacked.message());
  RTL_TRY(data_.Rewind());
  Launches launches;
  RTL_TRY(TakeLaunches(&launches));
  RTL_TRY(MakeRows(block, *launches));
  open_launches_.emplace_back(block.last, std::move(launches));
  return Status::Ok();
}

Status PackedRows::Producer::TakeLaunches(Launches* out) {
  auto launches = std::make_shared<std::vector<Launch>>();
  launches->reserve(block_.launches.size());
  for (const int64_t id : block_.launches) {
    const Launch* launch = nullptr;
    RTL_TRY(table_.Find(id, &launch));
    launches->push_back(*launch);
  }
  *out = std::move(launches);
  return Status::Ok();
}

// Sums wrap, as everywhere: a file may hold any values.
PackedRow PackedRows::Producer::MakeRow(int64_t id, size_t i,
                                        const std::vector<Launch>& launches) const {
  const size_t place = block_.launch[i];
  const Launch& launch = launches[place];
  PackedRow row;
  row.id = id;
  row.launch_id = block_.launches[place];
  row.launch = &launch;
  row.start = launch.origin + block_.start[i];
  row.end = row.start + block_.duration[i];
  row.submit = block_.has_submit(i) ? launch.origin + block_.submit[i] : 0;
  row.dispatch = static_cast<uint64_t>(id) + launch.sequence + block_.sequence[i];
  row.packet = row.dispatch + launch.packet + block_.packet[i];
  row.correlation = block_.link[i];
  const bool waited = row.submit != 0 && row.submit < row.start;
  row.key = order_ == RowOrder::kSubmit && waited ? row.submit : row.start;
  return row;
}

Status PackedRows::Producer::MakeRows(const BlockSpan& block, const std::vector<Launch>& launches) {
  keys_.clear();
  rows_.clear();
  bool in_order = true;
  for (size_t i = 0; i < block_.size(); ++i) {
    if (launches[block_.launch[i]].type != type_) continue;
    const auto id = static_cast<int64_t>(static_cast<uint64_t>(block.id) + i);
    rows_.push_back(MakeRow(id, i, launches));
    const uint64_t key = rows_.back().key;
    if (key < block.first || key > block.last) {
      return FileError(path_, "a block of packed rows is broken: a time outside of it");
    }
    in_order = in_order && (keys_.empty() || keys_.back().first <= key);
    keys_.emplace_back(key, static_cast<uint32_t>(keys_.size()));
  }
  if (in_order) return Status::Ok();
  SortRuns(&keys_);
  unsorted_.swap(rows_);
  rows_.clear();
  for (const auto& [key, place] : keys_) rows_.push_back(unsorted_[place]);
  return Status::Ok();
}

// Emits the open rows that no later row can precede.
Status PackedRows::Producer::EmitBefore(uint64_t key) {
  const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(given_);
  const auto end = std::lower_bound(begin, open_.end(), key,
                                    [](const PackedRow& row, uint64_t k) { return row.key < k; });
  if (key == UINT64_MAX ? begin != open_.end() : begin != end) {
    auto batch = SpareBatch();
    batch->rows.assign(begin, key == UINT64_MAX ? open_.end() : end);
    batch->launches.clear();
    for (const auto& [last, launches] : open_launches_) batch->launches.push_back(launches);
    given_ += batch->rows.size();
    RTL_TRY(Emit(std::move(batch)));
  }
  std::erase_if(open_launches_, [&](const auto& open) { return open.first < key; });
  return Status::Ok();
}

Status PackedRows::Producer::Emit(std::unique_ptr<Batch> batch) {
  if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) {
    return Status::Error("%s", kCancelled);
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ready_.size() < kBatchesAhead || unwanted_; });
  if (unwanted_) return Status::Error("%s", kCancelled);
  ready_.push_back(std::move(batch));
  lock.unlock();
  changed_.notify_all();
  return Status::Ok();
}

std::unique_ptr<PackedRows::Batch> PackedRows::Producer::SpareBatch() {
  const std::lock_guard lock(mutex_);
  auto batch = std::move(spare_);
  return batch != nullptr ? std::move(batch) : std::make_unique<Batch>();
}

Status PackedRows::Producer::Take(std::unique_ptr<Batch>* batch) {
  std::unique_lock lock(mutex_);
  if (*batch != nullptr) spare_ = std::move(*batch);
  changed_.wait(lock, [&] { return !ready_.empty() || finished_; });
  if (ready_.empty()) return result_;
  *batch = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return Status::Ok();
}

PackedRows::PackedRows() = default;
PackedRows::~PackedRows() = default;

Status PackedRows::Open(const std::string& path, int64_t type, RowOrder order,
                        const std::atomic<bool>* cancel, std::unique_ptr<PackedRows>* out,
                        uint64_t most_open_rows) {
  auto producer = std::make_unique<Producer>(path, type, order, cancel);
  RTL_TRY(producer->Open());
  if (producer->MostOpenRows() > most_open_rows) return Status::Ok();
  if (!producer->Start()) return Status::Ok();
  out->reset(new PackedRows());
  (*out)->producer_ = std::move(producer);
  return Status::Ok();
}

Status PackedRows::Next(const PackedRow** row) {
  *row = nullptr;
  if (batch_ == nullptr || at_ == batch_->rows.size()) {
    RTL_TRY(producer_->Take(&batch_));
    at_ = 0;
    if (batch_ == nullptr) return Status::Ok();
  }
  *row = &batch_->rows[at_++];
  return Status::Ok();
}

}  // namespace rtl::query
