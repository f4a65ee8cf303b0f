// SPDX-License-Identifier: MIT
// import_test_support.h: writes a foreign trace, imports it and asks the database.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <string>
#include <vector>

#include "import/import.h"
#include "tests/support/temp_dir.h"

namespace rtl::import {

// What tests of several formats ask for.
inline constexpr char kKernels[] =
    "SELECT s.string, o.gpuId, o.tid, o.start, o.end, o.gridX, o.workgroupX, n.string"
    " FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id"
    " LEFT JOIN rocpd_api_ops l ON l.op_id = o.id LEFT JOIN rocpd_api a ON a.id = l.api_id"
    " LEFT JOIN rocpd_string n ON n.id = a.apiName_id WHERE o.kernel_id != 0 ORDER BY o.start";
inline constexpr char kCalls[] =
    "SELECT n.string, a.tid, a.start, a.end, g.string, a.result FROM rocpd_api a"
    " JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string g ON g.id = a.args_id"
    " ORDER BY a.start";

// Files of a process, as rocprofv3 writes them.
inline constexpr char kKernelCsv[] =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\","
    "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"Workgroup_Size_X\","
    "\"Grid_Size_X\"\n"
    "\"KERNEL_DISPATCH\",\"Agent 4\",1,0,70,1,3,\"Cut(\"\"a\"\", int)\",5,2000,2600,64,640\n";
inline constexpr char kApiCsv[] =
    "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\","
    "\"End_Timestamp\"\n"
    "\"HIP_RUNTIME_API_EXT\",\"hipLaunchKernel\",77,70,5,1000,1100\n";
inline constexpr char kAgentCsv[] =
    "\"Node_Id\",\"Agent_Type\",\"Cu_Count\",\"Name\",\"Product_Name\"\n"
    "0,\"CPU\",0,\"EPYC\",\"EPYC\"\n4,\"GPU\",104,\"gfx90a\",\"MI210\"\n";

class ImportTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  // The error, or nothing.
  std::string Import(const std::vector<std::string>& files) {
    const Status done = ImportTraces(
        {.inputs = files, .output = folder_.path() + "/out.db", .tool_version = "t"}, &result_);
    found_ = result_.sources;
    written_ = result_.written;
    return done.message();
  }
  // The rows, "a|b" each and a line each.
  std::string Rows(const std::string& sql) {
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(written_.c_str(), &db), SQLITE_OK);
    std::string text;
    char* error = nullptr;
    const auto take = [](void* to, int columns, char** values, char**) {
      auto& line = *static_cast<std::string*>(to);
      for (int i = 0; i < columns; ++i) {
        line += std::string(i == 0 ? "" : "|") + (values[i] == nullptr ? "NULL" : values[i]);
      }
      line += "\n";
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), take, &text, &error), SQLITE_OK) << error;
    sqlite3_free(error);
    sqlite3_close(db);
    return text;
  }

  test::TempDir folder_;
  ImportResult result_;
  std::vector<ImportedSource> found_;
  std::string written_;
};

}  // namespace rtl::import
