// SPDX-License-Identifier: MIT
// kernel_writer.h: writes kernels and their dispatches. A dispatch waits until its kernel, its
// queue and the queue's agent are known.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/choice.h"
#include "trace/write/op_writer.h"
#include "trace/write/sample_writer.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class KernelWriter {
 public:
  // The arguments must outlive this object. `earlier`: number of rows that a continued trace has.
  Status Prepare(const Database& database, Strings* strings, OpWriter* ops, SampleWriter* samples,
                 const Chooser* chooser, int64_t earlier);

  Status AddKernel(TracedProcess* process, const KernelRecord& record, std::string_view symbol);
  Status Add(TracedProcess* process, const DispatchRecord& record);
  // Writes dispatches that are complete by now; at the end of the process, all.
  Status Settle(TracedProcess* process, bool is_end);

  int64_t unknown_name() const { return unknown_name_; }  // string id of kUnknownKernel

 private:
  Status Write(TracedProcess* process, const DispatchRecord& record);

  Strings* strings_ = nullptr;
  OpWriter* ops_ = nullptr;
  SampleWriter* samples_ = nullptr;
  const Chooser* chooser_ = nullptr;
  Statement kernel_;
  int64_t next_ = 0;
  int64_t type_ = 0, unknown_name_ = 0;  // ids in rocpd_string
};

}  // namespace rtl::store
