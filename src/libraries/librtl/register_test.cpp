// SPDX-License-Identifier: MIT
#include "libraries/librtl/register.h"

#include <gtest/gtest.h>

namespace rtl {
namespace {

struct Table {
  uint64_t size = 16;
  void* function = nullptr;
};

int Take(const char* name, void** tables, uint64_t count) {
  bool traced = true;
  const int answer = TakeApiTable(nullptr, {}, name, 10000, 0, tables, count, &traced);
  EXPECT_FALSE(traced);
  return answer;
}

TEST(Register, RejectsUnknownLibraries) {
  Table table;
  void* tables[] = {&table};
  for (const char* name : {"hsb", "", "hipp", "rocprofiler"}) EXPECT_NE(Take(name, tables, 1), 0);
  EXPECT_EQ(table.function, nullptr);
}

TEST(Register, AcceptsKnownLibrariesAndLeavesTheirTablesUnchanged) {
  Table table;
  void* tables[] = {&table, &table, &table};
  for (const char* name : {"hip", "hip_compiler", "roctx", "rccl"}) {
    EXPECT_EQ(Take(name, tables, 3), 0) << name;
  }
  EXPECT_EQ(table.function, nullptr);
  EXPECT_EQ(table.size, 16u);
}

TEST(Register, RejectsInvalidTables) {
  Table table;
  void* tables[] = {&table};
  void* null_table[] = {nullptr};
  EXPECT_NE(Take(nullptr, tables, 1), 0);
  EXPECT_NE(Take("hip", nullptr, 1), 0);
  EXPECT_NE(Take("hip", tables, 0), 0);
  EXPECT_NE(Take("hip", null_table, 1), 0);
}

TEST(Register, RejectsTheHsaTableWithoutASession) {
  Table table;
  void* tables[] = {&table};
  EXPECT_NE(Take("hsa", tables, 1), 0);
}

}  // namespace
}  // namespace rtl
