// SPDX-License-Identifier: MIT
// json_rows.h: reads JSON that contains tables, which are arrays of objects at known paths, as
// rocprofv3 writes it. Nested values of a row get flat names here: "dispatch_info.agent_id.handle",
// "args[0].name".
//
// Threads    one
// Blocking   file I/O
// Memory     one row, and the names of the fields of all rows
// Errors     one line with the file and the place; the file's content is not trusted
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::import {

class JsonRow {
 public:
  // The value of a field. Empty, or zero: the row has no such field.
  std::string_view Text(std::string_view key) const;
  uint64_t Number(std::string_view key) const;
  int64_t Signed(std::string_view key) const;

  void Clear() {
    fields_.clear();
    values_.clear();
  }
  // `key` must stay at its address as long as the row uses it.
  void Add(const std::string& key, std::string_view value);
  size_t size() const { return fields_.size(); }
  std::string_view key(size_t i) const { return *fields_[i].key; }
  // A text, or a number as it was written.
  std::string_view value(size_t i) const {
    return {values_.data() + fields_[i].begin, fields_[i].bytes};
  }

 private:
  struct Field {
    const std::string* key;
    size_t begin, bytes;  // place of the value in `values_`
  };

  std::vector<Field> fields_;
  std::string values_;
  // The field after the one found last, because callers look fields up in order.
  mutable size_t next_ = 0;
};

class JsonRowReader {
 public:
  virtual ~JsonRowReader() = default;
  // The file has a part for each process.
  virtual Status BeginPart() = 0;
  virtual Status EndPart() = 0;
  // A value outside of rows: "metadata.pid", "metadata.command[]".
  virtual Status TakeFact(std::string_view path, std::string_view value) = 0;
  // A row of the table at this path: "buffer_records.kernel_dispatch".
  virtual Status TakeRow(std::string_view path, const JsonRow& row) = 0;
  // As ChromeReader::TakeFlaws, for kHalfPair.
  virtual void TakeRepaired(uint64_t halves) = 0;
};

// `parts`: the member of the outermost object that is the array of parts.
Status ReadJsonRows(const std::string& path, std::string_view parts, JsonRowReader* reader);

}  // namespace rtl::import
