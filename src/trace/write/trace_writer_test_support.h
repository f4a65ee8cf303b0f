// SPDX-License-Identifier: MIT
// trace_writer_test_support.h: a trace that is written to a database, for the tests of the writer.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {

class TraceWriterTest : public testing::Test {
 protected:
  void Write(const test::TraceBuilder& trace) {
    const Status written = trace.WriteDatabase(path_, &result_);
    ASSERT_TRUE(written.ok()) << written.message();
  }
  Rows Ask(const std::string& sql) { return store::Ask(path_, sql); }

  test::TempDir dir_;
  std::string path_ = dir_.File("trace.db");
  CollectResult result_;
};

}  // namespace rtl::store
