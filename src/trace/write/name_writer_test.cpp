// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using NameWriterTest = TraceWriterTest;

TEST_F(NameWriterTest, TheProgramsNameOfAThreadGoesBeforeTheKernels) {
  TraceBuilder trace;
  trace.Name(Named::kThreadInKernel, 7, 10, "python3").Name(Named::kThreadInKernel, 8, 10, "main");
  trace.Name(Named::kThreadInKernel, 8, 20, "worker").Name(Named::kThread, 7, 30, "loader");
  trace.Name(static_cast<Named>(99), 7, 40, "of a later version");
  Write(trace);
  EXPECT_EQ(Ask("SELECT kind, target, name FROM rtl_name ORDER BY target"),
            (Rows{"thread|7|loader", "thread|8|worker"}));
}

}  // namespace
}  // namespace rtl::store
