// SPDX-License-Identifier: MIT
#include "trace/schema/schema.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

TEST(Schema, HasTheViewsThatSqliteWouldMake) {
  const test::TempDir directory;
  const std::string path = directory.File("trace.db");
  Database database;
  ASSERT_TRUE(database.Open(path, path).ok());
  ASSERT_TRUE(CreateSchema(&database).ok());
  database.Close();
  constexpr char kViews[] =
      "SELECT name || ' ' || tbl_name || ' ' || rootpage || ' ' || sql FROM sqlite_schema"
      " WHERE type = 'view' ORDER BY name";
  const Rows views = Ask(path, kViews);
  EXPECT_EQ(views.size(), 16u);

  ASSERT_TRUE(database.Open(path, path).ok());
  for (const std::string& name : Ask(path, "SELECT name FROM sqlite_schema WHERE type = 'view'")) {
    const Rows sql = Ask(path, "SELECT sql FROM sqlite_schema WHERE name = '" + name + "'");
    ASSERT_EQ(sql.size(), 1u);
    EXPECT_EQ(Ask(path, "SELECT count(*) FROM " + name), Rows{"0"});
    ASSERT_TRUE(database.Execute(("DROP VIEW " + name).c_str()).ok()) << name;
    ASSERT_TRUE(database.Execute(sql[0].c_str()).ok()) << name;
  }
  database.Close();
  EXPECT_EQ(Ask(path, kViews), views);
  EXPECT_EQ(Ask(path, "PRAGMA integrity_check"), Rows{"ok"});
}

}  // namespace
}  // namespace rtl::store
