// SPDX-License-Identifier: MIT
// pftrace_test_support.h: a trace that is exported for Perfetto, for the tests of that export.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "export/exporter.h"
#include "export/pftrace_viewer.h"
#include "trace/read/query_test_support.h"

namespace rtl::exporting {

class Pftrace : public testing::Test {
 protected:
  void SetUp() override {
    trace_.Queue(0);
    trace_.Kernel("_Z4gemmPf");
  }
  viewer::Viewer View() {
    trace_.Finish();
    return ViewFinished();
  }
  viewer::Viewer ViewFinished() {
    auto reader = query::OpenTrace(path_);
    const std::string output = directory_.File("trace.pftrace");
    query::ExpectOk(Export(*reader, Format::kPftrace, output, nullptr));
    return viewer::Viewer(output);
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  query::TestTrace trace_{path_};
};

}  // namespace rtl::exporting
