// SPDX-License-Identifier: MIT
// process_set_test_support.h: the processes of a spool without a collector.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/collect/process_set.h"

namespace rtl::store {

class ProcessSetTest : public testing::Test {
 protected:
  ProcessSetTest() {
    options_.spool = dir_.File("spool");
    options_.output = dir_.File("trace.db");
    options_.tool_version = "test";
    std::filesystem::create_directory(options_.spool);
    std::filesystem::permissions(options_.spool, std::filesystem::perms::owner_all);
    EXPECT_TRUE(folder_.Open(options_.spool).ok());
  }

  // Attaches to the processes that are new, and passes each to `prepare`.
  template <typename Prepare>
  void Attach(Prepare prepare) {
    const Status attached = processes_.AttachToNew([&](CollectedProcess* process) {
      prepare(*process);
      return Status::Ok();
    });
    ASSERT_TRUE(attached.ok()) << attached.message();
  }
  void Attach() {
    Attach([](CollectedProcess&) {});
  }

  test::TempDir dir_;
  CollectOptions options_;
  SpoolFolder folder_;
  TraceSummary summary_{options_};
  ProcessSet processes_{folder_, kKeptBytes, &summary_};
};

}  // namespace rtl::store
