// SPDX-License-Identifier: MIT
// Reads a spool whose bytes the fuzzer chooses (fuzz_support.h) to its end.
#include <string.h>

#include <memory>

#include "spool/fuzz_support.h"
#include "spool/reader.h"

namespace rtl::spool {
namespace {

void ReadAll(const HostileSpool& spool) {
  std::unique_ptr<ProcessReader> reader;
  if (!ProcessReader::Open(spool.directory(), spool.stem(), false, &reader).ok()) return;
  uint64_t sum = 0;
  const auto look = [&](const RecordView& view) {
    Check(view.bytes >= sizeof(RecordHeader) && view.bytes <= kChunkBytes);
    for (const char c : view.text) sum += static_cast<unsigned char>(c);
    for (size_t i = 0; i < view.bytes; ++i) sum += reinterpret_cast<const char*>(view.head)[i];
  };
  for (int round = 0; round < 2; ++round) {
    uint64_t records = 0;
    (void)reader->Poll(look, &records);  // an error is a valid result
    (void)reader->WriterGone();
  }
  reader->RefreshProcess();
  Check(reader->Refusal().size() <= sizeof(ControlPage::refusal));
  Check(strnlen(reader->process().command, sizeof(ProcessInfo::command)) <
        sizeof(ProcessInfo::command));
  (void)reader->Remove();
  [[maybe_unused]] static volatile uint64_t sink;
  sink = sum;
}

}  // namespace
}  // namespace rtl::spool

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rtl::spool;
  static HostileSpool spool;
  if (spool.Write(data, size)) ReadAll(spool);
  return 0;
}
