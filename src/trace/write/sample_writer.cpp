// SPDX-License-Identifier: MIT
#include "trace/write/sample_writer.h"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "trace/schema/schema.h"
#include "trace/schema/strings.h"
#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

constexpr size_t kMostCodeBytes = size_t{1} << 30;

// Reads a number in the fragment of a URI, "offset=8&size=16". If the number is missing, *out is
// unchanged.
void TakeNumber(std::string_view fragment, std::string_view name, uint64_t* out) {
  const size_t at = fragment.find(name);
  if (at == std::string_view::npos) return;
  std::string_view digits = fragment.substr(at + name.size());
  const bool hex = digits.starts_with("0x");
  if (hex) digits.remove_prefix(2);
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), *out, hex ? 16 : 10);
}

// Decodes escapes such as "%20".
std::string Unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

// The content id of a file that is identified by its name. It differs from the id of bytes, which
// is a hash of the bytes.
int64_t ContentOfUri(std::string_view uri) {
  return static_cast<int64_t>(std::hash<std::string_view>()(uri) | 1);
}

std::optional<int64_t> NotZero(int64_t number) {
  return number == 0 ? std::nullopt : std::optional<int64_t>(number);
}

}  // namespace

bool ReadCodeUri(std::string_view uri, std::string* out) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return false;
  uri.remove_prefix(kFile.size());
  const size_t hash = uri.rfind('#');
  uint64_t offset = 0;
  uint64_t size = UINT64_MAX;
  if (hash != std::string_view::npos) {
    TakeNumber(uri.substr(hash), "offset=", &offset);
    TakeNumber(uri.substr(hash), "size=", &size);
  }
  std::ifstream file(Unescaped(uri.substr(0, hash)), std::ios::binary | std::ios::ate);
  if (!file) return false;
  const auto end = static_cast<uint64_t>(file.tellg());
  if (offset >= end) return false;
  size = std::min(size, end - offset);
  if (size > kMostCodeBytes) return false;
  out->resize(size);
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(out->data(), static_cast<std::streamsize>(size)));
}

// The tables are made when they are needed, because most traces have no samples.
Status SampleWriter::NeedTables() {
  if (has_tables_) return Status::Ok();
  has_tables_ = true;
  for (const TableDescription* table :
       {&kCodeObjectTableDescription, &kCodeTableDescription, &kPcSampleTableDescription})
    RTL_TRY(database_->Execute(CreateSql(*table).c_str()));
  RTL_TRY(database_->HighestId("rtl_code_object", &next_code_object_));
  RTL_TRY(database_->HighestId("rtl_pc_sample", &next_sample_));
  RTL_TRY(code_object_.Prepare(*database_, InsertSql(kCodeObjectTableDescription)));
  RTL_TRY(code_.Prepare(*database_,
                        "INSERT INTO rtl_code VALUES (?1, ?2) ON CONFLICT (content) DO NOTHING"));
  RTL_TRY(sample_.Prepare(*database_, InsertSql(kPcSampleTableDescription)));
  return link_.Prepare(*database_,
                       "UPDATE rtl_pc_sample SET dispatch = ?1, kernel_id = ?2, correlation = ?3 "
                       "WHERE id = ?4");
}

Status SampleWriter::AddCodeObject(int64_t process, const CodeObjectRecord& record,
                                   std::string_view uri) {
  RTL_TRY(NeedTables());
  sampling_.insert(process);
  const auto [object, added] = code_objects_.try_emplace({process, record.code_object});
  if (!added) return Status::Ok();
  CodeObject& entry = object->second;
  entry.row = ++next_code_object_;
  entry.uri = CleanText(uri);
  entry.in_file = record.content == 0;
  entry.content = entry.in_file ? ContentOfUri(entry.uri) : static_cast<int64_t>(record.content);
  CodeObjectTable row;
  TakeFields(record, &row);
  row.id = entry.row;
  row.process = process;
  row.loaded = record.time;
  row.content = entry.content;
  row.uri = entry.uri;
  return code_object_.Add(row);
}

Status SampleWriter::AddCodeBytes(const CodeBytesRecord& record, std::string_view bytes) {
  if (!has_parts_) {
    RTL_TRY(database_->Execute(
        "CREATE TEMP TABLE code_part (content INTEGER NOT NULL, at INTEGER NOT NULL, bytes BLOB, "
        "PRIMARY KEY (content, at)) WITHOUT ROWID"));
    RTL_TRY(part_.Prepare(*database_,
                          "INSERT INTO code_part VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"));
    has_parts_ = true;
  }
  return part_.Insert(static_cast<int64_t>(record.content), record.offset, Blob{bytes});
}

Status SampleWriter::AddSample(int64_t process, int64_t queue, const PcSampleRecord& record) {
  RTL_TRY(NeedTables());
  sampling_.insert(process);
  std::optional<int64_t> code_object;
  if (const auto object = code_objects_.find({process, record.code_object});
      object != code_objects_.end()) {
    object->second.sampled = true;
    code_object = object->second.row;
  }
  PcSampleTable row;
  TakeFields(record, &row);
  row.id = ++next_sample_;
  row.process = process;
  row.code_object = code_object;
  row.queue = queue;
  row.workgroup_x = record.workgroup[0];
  row.workgroup_y = record.workgroup[1];
  row.workgroup_z = record.workgroup[2];
  if (queue != 0) {
    const Recent& slot = *Slot(queue, record.packet);
    if (slot.packet == record.packet) {
      row.dispatch = static_cast<int64_t>(slot.dispatch);
      row.kernel = NotZero(slot.kernel);
      row.correlation = NotZero(static_cast<int64_t>(slot.correlation));
    } else {
      open_[{queue, record.packet}].push_back(row.id);
    }
  }
  return sample_.Add(row);
}

SampleWriter::Recent* SampleWriter::Slot(int64_t queue, uint64_t packet) {
  std::vector<Recent>& recent = recent_[queue];
  if (recent.empty()) recent.resize(kRecentPackets);
  return &recent[packet % kRecentPackets];
}

Status SampleWriter::Match(int64_t queue, int64_t kernel, const DispatchRecord& record) {
  *Slot(queue, record.packet) = {record.packet, record.dispatch, record.correlation, kernel};
  const auto waiting = open_.find({queue, record.packet});
  if (waiting == open_.end()) return Status::Ok();
  for (const int64_t row : waiting->second)
    RTL_TRY(link_.Insert(static_cast<int64_t>(record.dispatch), NotZero(kernel),
                         NotZero(static_cast<int64_t>(record.correlation)), row));
  open_.erase(waiting);
  return Status::Ok();
}

// Joins all parts, in order. False if there is a gap.
bool SampleWriter::TakeParts(int64_t content, std::string* out) {
  if (!has_parts_) return false;
  Query parts(database_->handle(),
              "SELECT at, bytes FROM code_part WHERE content = ?1 ORDER BY at");
  parts.Bind(1, content);
  bool whole = true;
  while (whole && parts.Next()) {
    whole = static_cast<uint64_t>(parts.Int(0)) == out->size() && out->size() < kMostCodeBytes;
    out->append(parts.Blob(1));
  }
  return whole && !out->empty();
}

Status SampleWriter::StoreBytes(const CodeObject& object) {
  std::string bytes;
  const bool found =
      object.in_file ? ReadCodeUri(object.uri, &bytes) : TakeParts(object.content, &bytes);
  return found ? code_.Insert(object.content, Blob{bytes}) : Status::Ok();
}

Status SampleWriter::Finish() {
  std::unordered_set<int64_t> stored;
  for (const auto& [key, object] : code_objects_) {
    if (object.sampled && stored.insert(object.content).second) RTL_TRY(StoreBytes(object));
  }
  part_.Finalize();
  if (has_parts_) RTL_TRY(database_->Execute("DROP TABLE code_part"));
  has_parts_ = false;
  return Status::Ok();
}

}  // namespace rtl::store
