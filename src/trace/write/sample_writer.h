// SPDX-License-Identifier: MIT
// sample_writer.h: writes PC samples, the code objects that contain them, and the kernels in which
// they were taken.
//
//   a sample names queue and packet ──► the kernel with that packet, if it is among the last
//                                       kRecentPackets of the queue, or comes later
//   Finish: the files of the sampled code objects, each once
//
// Threads    one at a time
// Memory     if samples are taken, 32 bytes for each of the last packets of a queue; the bytes of
//            code objects are kept in a temporary table
// Errors     those of SQLite; if the bytes of a code object are missing, the trace has none
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"

namespace rtl::store {

class SampleWriter {
 public:
  static constexpr uint64_t kRecentPackets = 65'536;

  void Use(Database* database) { database_ = database; }

  // `process`: rtl_process.id.
  Status AddCodeObject(int64_t process, const CodeObjectRecord& record, std::string_view uri);
  Status AddCodeBytes(const CodeBytesRecord& record, std::string_view bytes);
  // `queue`: rtl_queue.id; zero: not known.
  Status AddSample(int64_t process, int64_t queue, const PcSampleRecord& record);
  // Called for each recorded kernel. `kernel`: rtl_kernel.id; zero: not known.
  Status NoteKernel(int64_t process, int64_t queue, int64_t kernel, const DispatchRecord& record) {
    return sampling_.empty() || !sampling_.contains(process) ? Status::Ok()
                                                             : Match(queue, kernel, record);
  }
  Status Finish();

 private:
  using Packet = std::pair<int64_t, uint64_t>;  // queue, and index of the packet
  struct PacketHash {
    size_t operator()(const Packet& packet) const {
      return std::hash<uint64_t>()(packet.second * 0x9e3779b97f4a7c15 +
                                   static_cast<uint64_t>(packet.first));
    }
  };
  struct CodeObject {
    int64_t row = 0;
    int64_t content = 0;  // rtl_code.content
    std::string uri;
    bool in_file = false;
    bool sampled = false;
  };
  struct Recent {
    uint64_t packet = UINT64_MAX;
    uint64_t dispatch = 0;
    uint64_t correlation = 0;
    int64_t kernel = 0;
  };

  Status NeedTables();
  Status Match(int64_t queue, int64_t kernel, const DispatchRecord& record);
  Recent* Slot(int64_t queue, uint64_t packet);
  Status StoreBytes(const CodeObject& object);
  bool TakeParts(int64_t content, std::string* out);

  Database* database_ = nullptr;
  bool has_tables_ = false;
  bool has_parts_ = false;  // the temporary table exists
  Statement code_object_, part_, code_, sample_, link_;
  int64_t next_code_object_ = 0, next_sample_ = 0;
  std::unordered_set<int64_t> sampling_;  // processes with samples
  // indexed by process and number of the code object
  std::map<std::pair<int64_t, uint32_t>, CodeObject> code_objects_;
  std::unordered_map<int64_t, std::vector<Recent>> recent_;  // indexed by queue
  // samples whose kernel is not known yet
  std::unordered_map<Packet, std::vector<int64_t>, PacketHash> open_;
};

// Reads the bytes that a file URI names ("file:///path#offset=8&size=16"). False if there is no
// such file.
bool ReadCodeUri(std::string_view uri, std::string* out);

}  // namespace rtl::store
