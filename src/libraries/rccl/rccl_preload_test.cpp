// SPDX-License-Identifier: MIT
// Runs a program that is linked to the fake RCCL, with librtl_rccl.so preloaded, and reads the
// spool that it leaves.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "model/event_kinds.h"
#include "model/records.h"
#include "spool/directory.h"
#include "spool/reader.h"
#include "tests/support/temp_dir.h"

namespace rtl {
namespace {

constexpr char kRcclOutput[] =
    "other\n"
    "init 2 az 1\n"
    "all 0x10 0x20 1000 7 3 0xc0 0x30\n"
    "broadcast 0x40 0x40 5 1 6 0xc0 (nil)\n"
    "four\n";

struct RcclCall {
  RcclCallOperation operation;
  RcclCallValues values;
};

class RcclPreloadTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkdir(spool_.c_str(), 0700), 0); }

  // Returns the program's stdout; stderr must be empty.
  std::string Run(const std::string& events) {
    // Sanitizers must be preloaded first; they are in the program already.
    const std::string command =
        "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=" PRELOADED " RTL_SPOOL=" + spool_ +
        " RTL_EVENTS=" + events + " exec " PROGRAM " > " + File("output") + " 2> " + File("errors");
    EXPECT_EQ(system(command.c_str()), 0) << command;
    EXPECT_EQ(Read("errors"), "");
    return Read("output");
  }

  // The calls of the one process in the spool.
  std::vector<RcclCall> Calls() {
    std::vector<std::string> stems;
    EXPECT_TRUE(spool::ListProcesses(spool_, &stems).ok());
    std::vector<RcclCall> calls;
    for (const std::string& stem : stems) {
      std::unique_ptr<spool::ProcessReader> reader;
      const Status opened = spool::ProcessReader::Open(spool_, stem, true, &reader);
      EXPECT_TRUE(opened.ok()) << opened.message();
      if (!opened.ok()) continue;
      submitted_ += reader->control().submitted[static_cast<size_t>(EventKind::kRcclCall)].load();
      uint64_t count = 0;
      const auto keep = [&](const spool::RecordView& view) {
        if (view.head->type != RecordType::kEvent) return;
        const EventRecord record = view.As<EventRecord>();
        if (record.kind != EventKind::kRcclCall) return;
        EXPECT_GE(record.end, record.start);
        RcclCall call;
        call.operation = static_cast<RcclCallOperation>(record.operation);
        ASSERT_EQ(view.text.size(), sizeof call.values);
        memcpy(&call.values, view.text.data(), sizeof call.values);
        calls.push_back(call);
      };
      EXPECT_TRUE(reader->Poll(keep, &count).ok());
    }
    return calls;
  }

  std::string File(const std::string& name) { return directory_.File(name); }
  std::string Read(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(File(name)).rdbuf();
    return text.str();
  }

  test::TempDir directory_;
  const std::string spool_ = directory_.File("spool");
  uint64_t submitted_ = 0;
};

TEST_F(RcclPreloadTest, RecordsEachCallOfTheProgramOnce) {
  EXPECT_EQ(Run("rccl"), kRcclOutput);
  const std::vector<RcclCall> calls = Calls();
  EXPECT_EQ(submitted_, calls.size());
  ASSERT_EQ(calls.size(), 5u);
  EXPECT_EQ(calls[0].operation, RcclCallOperation::ncclCommInitRank);
  EXPECT_EQ(calls[0].values.communicator, 0xc0u);  // made by RCCL
  EXPECT_EQ(calls[1].operation, RcclCallOperation::ncclAllReduce);
  EXPECT_EQ(calls[1].values.count, 1000u);
  EXPECT_EQ(calls[1].values.datatype, 7u);
  EXPECT_EQ(calls[1].values.op, 3u);
  EXPECT_EQ(calls[1].values.communicator, 0xc0u);
  EXPECT_EQ(calls[1].values.stream, 0x30u);
  // Called by ncclBcast, recorded once.
  EXPECT_EQ(calls[2].operation, RcclCallOperation::ncclBroadcast);
  EXPECT_EQ(calls[2].values.count, 5u);
  EXPECT_EQ(calls[2].values.peer, 6u);
  EXPECT_EQ(calls[3].operation, RcclCallOperation::ncclRecv);
  EXPECT_EQ(calls[3].values.result, 4u);
  EXPECT_EQ(calls[3].values.peer, 9u);
  EXPECT_EQ(calls[4].operation, RcclCallOperation::ncclGetErrorString);
}

TEST_F(RcclPreloadTest, PassesThroughWhenCallsAreNotRecorded) {
  EXPECT_EQ(Run("kernels"), kRcclOutput);
  EXPECT_EQ(Calls().size(), 0u);
}

}  // namespace
}  // namespace rtl
